//! The command lines that the tools run.
//!
//! Every argument is written here or has passed a validator.  Packets go only to addresses: of these programs only dig looks up
//! names.

use std::time::Duration;

use super::step::Step;

/// The time limit of a program that normally ends within a second, such as `ip route get`.
pub const QUICK: Duration = Duration::from_secs(5);

/// How many seconds nmap may take for the ports of one host.
pub const PORTS_TIME: u64 = 25;
/// How many seconds nmap may take to find out which services listen on the open ports of one host.
pub const SERVICES_TIME: u64 = 60;

/// ping: three echo requests.
pub fn ping(address: &str) -> Step {
    let argv = ["-n", "-c", "3", "-i", "0.3", "-W", "2", address];
    Step::new("ping", &argv, Duration::from_secs(8))
}

/// traceroute: one probe for each of at most twenty hops, sixteen at a time (traceroute's default).
pub fn traceroute(address: &str) -> Step {
    let argv = ["-n", "-w", "2", "-q", "1", "-m", "20", address];
    Step::new("traceroute", &argv, Duration::from_secs(12))
}

/// The ports that nmap scans.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which<'a> {
    /// A list from the validator.
    Listed(&'a str),
    /// This many of the most usual ports.
    Top(u8),
}

fn nmap(address: &str, seconds: u64, more: &[&str]) -> Step {
    let host_timeout = format!("{seconds}s");
    let mut argv = vec![
        "-n",
        "-Pn",
        "--max-retries",
        "1",
        "--host-timeout",
        &host_timeout,
    ];
    if address.contains(':') {
        argv.push("-6");
    }
    argv.extend(more);
    argv.extend(["-oX", "-", "--", address]);
    // nmap ends at `--host-timeout` by itself; the step's limit is for an nmap that hangs.
    Step::new("nmap", &argv, Duration::from_secs(seconds + 5))
}

/// nmap: which of the ports are open, in at most `seconds`.
pub fn ports(address: &str, which: Which<'_>, seconds: u64) -> Step {
    match which {
        Which::Listed(list) => nmap(address, seconds, &["-p", list]),
        Which::Top(count) => nmap(address, seconds, &["--top-ports", &count.to_string()]),
    }
}

/// nmap: which services listen on the ports `open`.
pub fn services(address: &str, open: &str) -> Step {
    nmap(
        address,
        SERVICES_TIME,
        &["-sV", "--version-light", "-p", open],
    )
}

/// nmap: which addresses of a network answer.  dig looks up their names ([`names`]), since nmap waits long for DNS servers that
/// refuse.
pub fn discover(net: &str) -> Step {
    let mut argv = vec!["-sn", "-n", "--host-timeout", "30s", "--max-retries", "1"];
    if net.contains(':') {
        argv.push("-6");
    }
    argv.extend(["-oX", "-", "--", net]);
    Step::new("nmap", &argv, Duration::from_secs(50))
}

/// dig: the names of addresses, by their `reverse` names (`10.0.77.10.in-addr.arpa`).  A name that is not answered within a second
/// is missing; a dig that runs longer than [`QUICK`] is ended, and then all names are.
pub fn names(reverse: &[String]) -> Step {
    let mut argv = vec![
        "-r",
        "+noall",
        "+comments",
        "+answer",
        "+time=1",
        "+tries=1",
    ];
    for name in reverse {
        argv.extend(["-q", name, "-t", "PTR"]);
    }
    Step::new("dig", &argv, QUICK)
}

/// dig: the records of a name.
pub fn dig(name: &str, kind: &str, server: Option<&str>) -> Step {
    let at = server.map(|server| format!("@{server}"));
    let mut argv = vec![
        "-r",
        "+noall",
        "+comments",
        "+answer",
        "+time=2",
        "+tries=2",
    ];
    argv.extend(at.as_deref());
    argv.extend(["-q", name, "-t", kind]);
    Step::new("dig", &argv, Duration::from_secs(14))
}

/// curl: the front page of `name` by HTTP or HTTPS, from the pinned address and nowhere else; the page is not kept.
pub fn curl(name: &str, address: &str, scheme: &str, port: u16) -> Step {
    request(name, address, scheme, port, &[])
}

/// curl: the certificate of a server, whoever signed it.  curl shows an untrusted certificate only with `-k`, which accepts it.
pub fn certificate(name: &str, address: &str, port: u16) -> Step {
    request(name, address, "https", port, &["-k", "-I"])
}

fn request(name: &str, address: &str, scheme: &str, port: u16, more: &[&str]) -> Step {
    let bare = |host: &str| {
        if host.contains(':') {
            // RFC 6874: in a URL the `%` before a zone is written `%25`.
            format!("[{}]", host.replace('%', "%25"))
        } else {
            host.to_owned()
        }
    };
    let url = format!("{scheme}://{}:{port}/", bare(name));
    let pin = format!("{name}:{port}:{}", bare(address));
    let mut argv = vec![
        "-q",
        "-sS",
        "--max-time",
        "6",
        "--noproxy",
        "*",
        "--proto",
        "=http,https",
        "--max-redirs",
        "0",
        "-o",
        "/dev/null",
        "-w",
        // `%{certs}` makes curl keep the certificates, so that the JSON object has them too.
        "%{json}%{stderr}%{certs}",
    ];
    if name != address {
        argv.extend(["--resolve", &pin]);
    }
    argv.extend(more);
    argv.extend(["--", &url]);
    Step::new("curl", &argv, Duration::from_secs(8))
}
