//! Listens for what an open port says by itself.

use std::time::Duration;

use super::asked::{Asked, socket};
use super::open::{self, Speech};
use crate::gate::Reads;
use crate::net::connect::{self, Greeting};

/// How long a server of a protocol with a greeting may take to greet: mail servers let strangers wait for some seconds.
const GREET: Duration = Duration::from_secs(open::GREET_SECONDS);

/// How long a server may take to greet where no protocol is known.
const UNKNOWN_GREET: Duration = Duration::from_secs(1);

/// Where the look-up of the name alone took this long, a greeting is not waited for: a call ends within twenty seconds.
const LONG: Duration = Duration::from_secs(7);

/// What `port` says within its time; `None` where nobody listened for it.
pub fn greeting(asked: &Asked<'_>, port: u16, reads: &dyn Reads) -> Option<Greeting> {
    let to = socket(asked.address, port)?;
    let time = match open::speech(port) {
        Speech::Greets(_) if asked.resolver.took >= LONG => return None,
        Speech::Greets(_) => GREET,
        _ => UNKNOWN_GREET,
    };
    Some(connect::greeting(to, time, &|| reads.go_on().is_ok()))
}
