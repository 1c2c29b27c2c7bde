//! Neutralising: what a terminal, a reader or a chat client would act on is made visible.
//!
//! Nothing is deleted, and nothing that a person sees of plain text is changed. What becomes of what acts:
//!
//! | what | becomes | back |
//! |---|---|---|
//! | ESC, NUL and the other C0 controls, DEL | caret form: `^[`, `^@`, `^M`, `^?` | the character is the one shown, with bit 6 flipped |
//! | C1 controls, invisible and bidirectional characters, tags, variation selectors | `<U+202E>` | the character of that number |
//! | a byte that is not UTF-8 (of [`of_bytes`]) | `<0x9B>` | that byte |
//! | the colon of `Local Variables:` | `<U+003A>` | the same |
//! | the start of a line that only we or the client may write | `\| ` before it | take it away |
//!
//! Line feed and tab stay, and a carriage return where a line feed follows. So each form stands for one character, and the
//! original can be read back, except where it held such a form written out: that stays as it is, since doing this twice must
//! be doing it once. Each line is treated for itself, so lines may be treated together or apart.
//!
//! Invisible characters that shape a visible one stay, in these places alone: a presentation selector after a symbol or in a
//! keycap, a joiner between two emoji, the tags of the three flags that Unicode recommends, and a joiner between two letters
//! of a script that needs it (RFC 5892, appendix A).
//!
//! Lines that only we or the client may write: our headers (`[gh `), and gptel's marks of tool calls and reasoning in Org and in
//! Markdown, in whatever letters that look so. The rule for them stands in [`forged`](mod@forged).
//! Other blocks and fences are the author's own and stay: gptel marks its own by text properties.
//! `Local Variables:` anywhere in the last 3,000 characters of a saved chat is read by Emacs, where gptel's variables are
//! safe ones: a result could name the tools that the chat gets when it is opened again.
//!
//! Sources: Unicode 16 `Default_Ignorable_Code_Point`, `Bidi_Control`, emoji-data and RGI tag sequences; gptel 0.9.9.5
//! `gptel-org--strip-block-headers`, `gptel--display-tool-results`; Emacs `hack-local-variables`.

mod acts;
mod forged;
mod lookalike;
mod visible;

pub use acts::acts;
pub use visible::{ends_in_variables, neutral, of_bytes};
