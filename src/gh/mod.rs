//! gh, GitHub's command-line program: what its command lines mean, where they go and what comes back.
//!
//! An argv is parsed by gh's own rules ([`parse`]) against the commands and flags that gh has ([`catalog`]).  [`judge`] gives the call a class from
//! the decided row of each command and flag ([`rows`]); [`needs`] and [`installed`] say whether the installed gh has them.  [`place`] pins the
//! call to one host, repository and account, [`call`] plans the call, and [`question`] says what a person is asked about it.  [`child`] makes the
//! environment that gh runs with.  [`render`] turns gh's output into a result and [`errors`] explains a failure; [`tools`] has what the
//! tools add to a call: a rendered result, further calls; [`graphql`] writes their queries.  [`drift`] compares the installed gh with the catalog.  [`explain_failure`] says
//! why the lines that tell a job's failure were chosen.

pub mod call;
pub mod catalog;
pub mod child;
pub mod drift;
pub mod errors;
pub mod explain_failure;
pub mod graphql;
pub mod installed;
pub mod judge;
pub mod needs;
pub mod parse;
pub mod place;
pub mod question;
pub mod render;
pub mod rows;
pub mod tools;
pub mod watch;
