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

/// ping: five echo requests, one after 0.2 s each, the shortest time that an ordinary user may ask for.
pub fn ping(address: &str) -> Step {
    let argv = ["-n", "-c", "5", "-i", "0.2", "-W", "0.5", address];
    Step::new("ping", &argv, Duration::from_secs(5))
}

/// ping: ten echo requests, to measure loss.
pub fn pings(address: &str) -> Step {
    let argv = ["-n", "-c", "10", "-i", "0.2", "-W", "1", address];
    Step::new("ping", &argv, Duration::from_secs(5))
}

/// ping: two echo requests in packets of `bytes` bytes that no router may divide.
pub fn whole(address: &str, bytes: u32) -> Step {
    // The headers of IP (RFC 791: 20 bytes; RFC 8200: 40) and of ICMP (8).
    let headers = if address.contains(':') { 48 } else { 28 };
    let size = bytes.saturating_sub(headers).to_string();
    let argv = [
        "-n", "-c", "2", "-i", "0.2", "-W", "1", "-M", "do", "-s", &size, address,
    ];
    Step::new("ping", &argv, Duration::from_secs(3))
}

/// traceroute: one probe for each of at most fifteen hops, all at once.
pub fn traceroute(address: &str) -> Step {
    let argv = ["-n", "-w", "1", "-q", "1", "-m", "15", address];
    Step::new("traceroute", &argv, Duration::from_secs(6))
}

/// ip: the machines on this machine's own links that it knows, and how long ago each was heard of.
pub fn neighbours() -> Step {
    Step::new("ip", &["-s", "-j", "neigh"], QUICK)
}

/// nft: the rules of this machine's own firewall; only root may read them.
pub fn firewall() -> Step {
    Step::new("nft", &["-j", "list", "ruleset"], Duration::from_secs(2))
}

/// dig: what one DNS server says of a name, asked once; over TCP too, where the answer is cut.
pub fn ask(server: &str, name: &str, kind: &str) -> Step {
    let at = format!("@{server}");
    let argv = [
        "-r",
        "+noall",
        "+comments",
        "+answer",
        "+stats",
        "+time=2",
        "+tries=1",
        &at,
        "-q",
        name,
        "-t",
        kind,
    ];
    Step::new("dig", &argv, Duration::from_secs(5))
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

/// curl: the front page of `name` by way of the proxy at `proxy`, which is told the address and never asked to look a name up.
pub fn proxied(proxy: &str, name: &str, address: &str, scheme: &str, port: u16) -> Step {
    let address = bracketed(address.split('%').next().unwrap_or(address));
    let name = bracketed(name.split('%').next().unwrap_or(name));
    let to = format!("{name}:{port}:{address}:{port}");
    let host = format!("Host: {name}");
    let mut argv = vec![
        "-q",
        "-sS",
        "--max-time",
        "4",
        "--noproxy",
        "",
        "--proxy",
        proxy,
        "--proto",
        "=http,https",
        "--max-redirs",
        "0",
        "-k",
        "-I",
        "-o",
        "/dev/null",
        "-w",
        "%{json}",
    ];
    let url = if scheme == "https" {
        argv.extend(["--connect-to", &to]);
        format!("https://{name}:{port}/")
    } else {
        argv.extend(["-H", &host]);
        format!("http://{address}:{port}/")
    };
    argv.extend(["--", &url]);
    Step::new("curl", &argv, Duration::from_secs(6))
}

/// A host as it stands in a URL: an IPv6 address in brackets, its `%` before a zone written `%25` (RFC 6874).
fn bracketed(host: &str) -> String {
    if host.contains(':') {
        format!("[{}]", host.replace('%', "%25"))
    } else {
        host.to_owned()
    }
}

fn request(name: &str, address: &str, scheme: &str, port: u16, more: &[&str]) -> Step {
    let url = format!("{scheme}://{}:{port}/", bracketed(name));
    let pin = format!("{name}:{port}:{}", bracketed(address));
    let mut argv = vec![
        "-q",
        "-sS",
        "--max-time",
        "4",
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
    Step::new("curl", &argv, Duration::from_secs(6))
}
