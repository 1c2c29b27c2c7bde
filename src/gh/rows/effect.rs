//! What a call does to the world, and the class that follows from it.

use crate::gate::Class;

/// The effect of a call on the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Reads from GitHub, or prints what gh itself knows.
    Reads,
    /// Changes something on GitHub that can be changed back.
    Writes,
    /// Removes something on GitHub for good.
    Deletes,
    /// Any effect that a person is to decide about each time.
    Asks,
    /// Wants a terminal.
    Interactive,
    /// Opens a browser.
    Browser,
    /// Opens an editor.
    Editor,
    /// Changes the user's configuration or credentials.
    Configures,
    /// Reads a local file, or standard input, to send it.
    SendsFile,
    /// Writes local files or the checkout.
    WritesFile,
    /// Runs code that is not gh's own.
    RunsCode,
    /// Prints a secret.
    PrintsSecret,
    /// Talks to a host of the caller's choosing that is not GitHub.
    Elsewhere,
    /// Goes on without end, or fetches without bound.
    Unbounded,
}

impl Effect {
    /// The class of a call with this effect.
    pub const fn class(self) -> Class {
        match self {
            Self::Reads => Class::Read,
            Self::Writes => Class::Write,
            Self::Deletes => Class::Destructive,
            Self::Asks => Class::Unknown,
            Self::Interactive
            | Self::Browser
            | Self::Editor
            | Self::Configures
            | Self::SendsFile
            | Self::WritesFile
            | Self::RunsCode
            | Self::PrintsSecret
            | Self::Elsewhere
            | Self::Unbounded => Class::Blocked,
        }
    }
}
