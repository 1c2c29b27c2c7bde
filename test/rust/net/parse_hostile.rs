//! The readers of the network programs' output, on texts that are cut short, too deep, too long, or no program's output.

use cj_gate::net::parse::{
    Unreadable, curl, dig, ifconfig, ip, netstat, nmap, nmcli, ping, proc_net, resolv_conf,
    resolvectl, scutil, ss, traceroute,
};
use proptest::prelude::*;

use super::{names, out};

/// Gives `text` to every reader; none of them may panic.
fn read_all(text: &str) {
    let _ = nmap::read(text);
    let _ = ip::interfaces(text);
    let _ = ip::routes(text);
    let _ = ip::neighbours(text);
    let _ = ss::read(text);
    let _ = dig::read(text);
    let _ = ping::read(text);
    let _ = traceroute::read(text);
    let _ = curl::read(text);
    let _ = resolv_conf::read(text);
    let _ = nmcli::read(text);
    let _ = ifconfig::read(text);
    let _ = netstat::listeners(text);
    let _ = netstat::routes(text);
    let _ = proc_net::listeners("udp", text);
    let _ = proc_net::routes(text);
    let _ = proc_net::routes6(text);
    let _ = proc_net::interfaces(text, text, text, text);
    let _ = resolvectl::read(text);
    let _ = scutil::read(text);
}

#[test]
fn a_text_cut_short_is_read_without_a_panic_and_cut_xml_is_refused() {
    for name in names("") {
        let text = out(&name);
        for cut in (0..text.len())
            .step_by(text.len() / 40 + 1)
            .filter(|&at| text.is_char_boundary(at))
        {
            read_all(&text[..cut]);
        }
    }
    let whole = out("nmap-ports-web");
    assert_eq!(nmap::read(&whole[..whole.len() / 2]), Err(Unreadable::Form));
}

#[test]
fn deep_and_long_documents_are_refused_and_overflow_no_stack() {
    for open in ["[", "{\"a\":", "<a>", "("] {
        read_all(&open.repeat(200_000));
    }
    assert_eq!(ip::routes(&"[".repeat(200_000)), Err(Unreadable::Deep));
    assert_eq!(nmap::read(&"<a>".repeat(200_000)), Err(Unreadable::Deep));
    assert_eq!(ss::read(&"x".repeat(9 << 20)), Err(Unreadable::Long));
    let many = "tcp LISTEN 0 5 *:80 *:*\n".repeat(5000);
    let read = ss::read(&many).expect("not too long");
    assert!(read.more && read.rows.len() == 2048);
}

proptest! {
    #[test]
    fn every_text_is_read_without_a_panic(text in ".{0,400}", line in "[a-z0-9 :%\\[\\]\"\\\\;(),/.*-]{0,200}") {
        read_all(&text);
        read_all(&line);
        for head in ["eth0: flags=1<UP>\n\t", "Proto\n", "Destination\n", "  sl  \n", "Iface\n", "Inter-|\n\n", "Global\n", "DNS configuration\nresolver #1\n"] {
            read_all(&format!("{head}{line}\n{line}"));
        }
        read_all(&format!(";; ANSWER SECTION:\nx. 1 IN TXT {line}\n"));
        read_all(&format!("traceroute to x\n 1 {line}\n"));
        read_all(&format!("<nmaprun><host><status state=\"up\"/><address addr=\"{}\" addrtype=\"ipv4\"/><ports><port protocol=\"tcp\" portid=\"1\"><state state=\"open\"/><service name=\"a\" servicefp='{}'/></port></ports></host></nmaprun>", line.replace('"', ""), line));
    }
}
