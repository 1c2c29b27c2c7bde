//! What the flags' values in a program's command lines are. The code for that program answers, since it knows the program's
//! commands.

/// What the value of a flag is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A secret.
    Secret,
    /// Text that people wrote for other people: the body of a comment.
    Private,
    /// `Name: value`.
    Header,
    /// `key=value`.
    Field,
}

/// Where the value of a flag stands in an argument list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FlagValue {
    /// The word, from 0.
    pub word: usize,
    /// The byte of the word at which the value begins: 2 in `-bTEXT`, 0 where the value is a word of its own.
    pub from: usize,
    /// What the value is.
    pub role: Role,
}

/// An argument list as its program reads it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ArgvReading {
    /// Whether the first word is the program's name.
    pub named: bool,
    /// The values of flags that have a role.
    pub values: Vec<FlagValue>,
    /// The words that hold a flag which the command has, or the value of such a flag.
    pub known: Vec<usize>,
}

/// Reads the argument lists of one program.
pub trait ArgvRoles: Send + Sync {
    /// `argv` as the program reads it, with or without the program's name before it; `None` where `argv` is no command
    /// line of the program.
    fn read(&self, argv: &[String]) -> Option<ArgvReading>;
}
