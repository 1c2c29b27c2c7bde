//! Neutralising: characters and lines on which a terminal, a reader or a chat client would act are made visible.
//!
//! Nothing is deleted, and the visible part of plain text stays as it is. These things are changed:
//!
//! | what | becomes | back |
//! |---|---|---|
//! | ESC, NUL and the other C0 controls, DEL | caret form: `^[`, `^@`, `^M`, `^?` | the character is the one shown, with bit 6 flipped |
//! | C1 controls, invisible and bidirectional characters, tags, variation selectors | `<U+202E>` | the character of that number |
//! | a byte that is not UTF-8 (of [`of_bytes`]) | `<0x9B>` | that byte |
//! | the colon of `Local Variables:` | `<U+003A>` | the same |
//! | the start of a line that only cj-gate or the chat client may write | `\| ` before it | take it away |
//!
//! Line feed and tab stay, and a carriage return before a line feed. So each form stands for one character, and the original can be
//! read back, unless the original itself held such a form in plain letters: that form stays, since neutralising twice must equal
//! neutralising once. Each line is treated by itself, so lines may be treated together or one by one.
//!
//! Invisible characters that shape a visible one stay, in these places alone: a presentation selector after a symbol or in a
//! keycap, a joiner between two emoji, the tags of the three flags that Unicode recommends, and a joiner between two letters
//! of a script that needs it (RFC 5892, appendix A).
//!
//! Only cj-gate or the client may write cj-gate's headers (`[gh `), and gptel's marks of tool calls and reasoning in Org and in
//! Markdown, in all letters that look like them. [`forged`](mod@forged) has the rule for these lines.
//! Other blocks and fences are the author's own and stay: gptel marks its own by text properties.
//! Emacs reads `Local Variables:` anywhere in the last 3,000 characters of a saved chat, and takes gptel's variables as safe: a
//! result could name the tools that the chat gets when it is opened again.
//!
//! Sources: Unicode 16 `Default_Ignorable_Code_Point`, `Bidi_Control`, emoji-data and RGI tag sequences; gptel 0.9.9.5
//! `gptel-org--strip-block-headers`, `gptel--display-tool-results`; Emacs `hack-local-variables`.

mod acts;
mod forged;
mod lookalike;
mod visible;

pub use acts::acts;
pub use visible::{ends_in_variables, neutral, of_bytes};
