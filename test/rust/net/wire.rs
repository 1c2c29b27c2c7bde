//! Our reader of dig's text against a third-party DNS codec (`simple_dns`) that decodes the same messages.
//!
//! Some messages were recorded with the text that dig printed about them (test/netlab/capture-wire.sh).  Others are made
//! here and sent, on loopback, to the real dig, which has the command line of `dns_lookup`.

use std::fmt::Write as _;
use std::fs;
use std::net::{Ipv4Addr, Ipv6Addr, UdpSocket};
use std::process::Command;
use std::thread;
use std::time::Duration;

use cj_gate::net::commands;
use cj_gate::net::parse::Outside;
use cj_gate::net::parse::dig::{self, Data, Record};
use proptest::prelude::*;
use proptest::test_runner::TestRunner;
use simple_dns::rdata::{A, AAAA, CAA, CNAME, MX, NS, PTR, RData, SOA, SRV, TXT};
use simple_dns::{CLASS, CharacterString, Label, Name, Packet, PacketFlag, RCODE, ResourceRecord};

use super::captures;

/// `name` as a zone file writes it (RFC 1035, section 5.1), with the escapes that BIND uses.
fn presented(name: &Name<'_>) -> Outside {
    let mut text = String::new();
    for label in name.get_labels() {
        for &byte in AsRef::<[u8]>::as_ref(label) {
            match byte {
                b'.' | b'\\' | b'"' | b'(' | b')' | b';' | b'@' | b'$' => {
                    text.push('\\');
                    text.push(char::from(byte));
                }
                0x21..=0x7e => text.push(char::from(byte)),
                other => write!(text, "\\{other:03}").expect("writing to a string cannot fail"),
            }
        }
        text.push('.');
    }
    if text.is_empty() {
        text.push('.');
    }
    Outside::new(&text)
}

fn plain(bytes: &[u8]) -> Outside {
    Outside::new(&String::from_utf8_lossy(bytes))
}

/// The segments of a TXT record.  The codec cuts each segment at its first `=`, and leaves out a segment that is empty or
/// begins with `=`; the compared messages have none of these.
fn segments(text: &TXT<'_>) -> Vec<Outside> {
    text.iter_raw()
        .map(|(key, value)| {
            let mut whole = key.to_vec();
            if let Some(value) = value {
                whole.push(b'=');
                whole.extend(value);
            }
            plain(&whole)
        })
        .collect()
}

/// The codec's `record` as a [`Record`] of our reader.
fn decoded(record: &ResourceRecord<'_>) -> Record {
    let unsigned = |number: i32| u32::from_ne_bytes(number.to_ne_bytes());
    let (kind, data) = match &record.rdata {
        RData::A(A { address }) => ("A", Data::Address(Ipv4Addr::from(*address).into())),
        RData::AAAA(AAAA { address }) => ("AAAA", Data::Address(Ipv6Addr::from(*address).into())),
        RData::NS(NS(name)) => ("NS", Data::Name(presented(name))),
        RData::CNAME(CNAME(name)) => ("CNAME", Data::Name(presented(name))),
        RData::PTR(PTR(name)) => ("PTR", Data::Name(presented(name))),
        RData::MX(mail) => ("MX", Data::Mail(mail.preference, presented(&mail.exchange))),
        RData::SRV(to) => (
            "SRV",
            Data::Service(to.priority, to.weight, to.port, presented(&to.target)),
        ),
        RData::TXT(text) => ("TXT", Data::Text(segments(text))),
        RData::CAA(caa) => (
            "CAA",
            Data::Authority(
                caa.flag,
                Outside::new(&caa.tag.to_string()),
                plain(&caa.value),
            ),
        ),
        RData::SOA(zone) => (
            "SOA",
            Data::Zone(
                presented(&zone.mname),
                presented(&zone.rname),
                [
                    zone.serial,
                    unsigned(zone.refresh),
                    unsigned(zone.retry),
                    unsigned(zone.expire),
                    zone.minimum,
                ],
            ),
        ),
        other => panic!("a type that is not compared: {other:?}"),
    };
    Record {
        owner: presented(&record.name),
        ttl: record.ttl,
        kind: kind.to_owned(),
        data,
    }
}

/// Asserts that our reader finds in dig's `text` the records that the codec decodes from `message`.
fn compare(text: &str, message: &[u8]) {
    let ours = dig::read(text).unwrap_or_else(|error| panic!("{error}: {text}"));
    let theirs = Packet::parse(message).expect("a message that dig understood");
    let status = match theirs.rcode() {
        RCODE::NoError => "NOERROR",
        RCODE::NameError => "NXDOMAIN",
        RCODE::Refused => "REFUSED",
        RCODE::ServerFailure => "SERVFAIL",
        other => panic!("{other:?}"),
    };
    assert_eq!(ours.status.as_deref(), Some(status), "{text}");
    assert_eq!(
        ours.authenticated,
        theirs.has_flags(PacketFlag::AUTHENTIC_DATA),
        "{text}"
    );
    assert!(!ours.cut && !ours.more && ours.trouble.is_empty(), "{text}");
    let records: Vec<Record> = theirs.answers.iter().map(decoded).collect();
    assert_eq!(ours.records, records, "{text}");
}

#[test]
fn a_recorded_message_reads_alike_by_a_codec_and_by_our_reader_of_dig() {
    let mut kinds = Vec::new();
    for entry in fs::read_dir(captures()).expect("the folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|end| end == "hex") {
            let hex = fs::read_to_string(&path).expect("hexadecimal text");
            let message: Vec<u8> = (0..hex.trim().len())
                .step_by(2)
                .map(|at| u8::from_str_radix(&hex[at..at + 2], 16).expect("two digits"))
                .collect();
            let text = fs::read_to_string(path.with_extension("out")).expect("what dig printed");
            compare(&text, &message);
            let packet = Packet::parse(&message).expect("it was compared");
            kinds.extend(packet.answers.iter().map(|record| decoded(record).kind));
        }
    }
    for kind in [
        "A", "AAAA", "MX", "NS", "TXT", "SRV", "CAA", "CNAME", "PTR", "SOA",
    ] {
        assert!(kinds.iter().any(|known| known == kind), "{kind}");
    }
}

/// A name of a few labels: mostly plain ones, some of arbitrary bytes.
fn name() -> impl Strategy<Value = Name<'static>> {
    let label = prop_oneof![
        4 => "[a-z0-9_-]{1,12}".prop_map(String::into_bytes),
        1 => prop::collection::vec(any::<u8>(), 1..8),
    ];
    prop::collection::vec(label, 1..4).prop_map(|labels| {
        let labels: Vec<Label<'static>> = labels.into_iter().map(Label::new_unchecked).collect();
        Name::new_with_labels(&labels)
    })
}

/// A segment of a TXT record, up to the longest one.
fn segment() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        3 => "[a-z0-9 ;\"\\\\]{1,40}".prop_map(|text| format!("v{text}").into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 1..60).prop_map(|mut bytes| {
            bytes.insert(0, b'x');
            bytes
        }),
        1 => Just(vec![b'l'; 255]),
    ]
}

fn text(segments: Vec<Vec<u8>>) -> RData<'static> {
    let mut record = TXT::new();
    for bytes in segments {
        let bytes: &'static [u8] = bytes.leak();
        record.add_char_string(CharacterString::new(bytes).expect("at most 255 bytes"));
    }
    RData::TXT(record)
}

fn data() -> impl Strategy<Value = RData<'static>> {
    prop_oneof![
        any::<u32>().prop_map(|address| RData::A(A { address })),
        any::<u128>().prop_map(|address| RData::AAAA(AAAA { address })),
        Just(RData::AAAA(AAAA {
            address: 0xffff_0a4d_0050
        })),
        name().prop_map(|name| RData::NS(NS(name))),
        name().prop_map(|name| RData::CNAME(CNAME(name))),
        name().prop_map(|name| RData::PTR(PTR(name))),
        (any::<u16>(), name()).prop_map(|(preference, exchange)| RData::MX(MX {
            preference,
            exchange
        })),
        // The null MX, which says that a domain takes no mail (RFC 7505).
        Just(RData::MX(MX {
            preference: 0,
            exchange: Name::new_with_labels(&[])
        })),
        (any::<[u16; 3]>(), name()).prop_map(|([priority, weight, port], target)| RData::SRV(
            SRV {
                priority,
                weight,
                port,
                target
            }
        )),
        prop::collection::vec(segment(), 1..4).prop_map(text),
        (any::<u8>(), "[a-z0-9]{1,15}", "[ -~]{0,60}").prop_map(|(flag, tag, value)| {
            let tag: &'static str = tag.leak();
            RData::CAA(CAA {
                flag,
                tag: CharacterString::new(tag.as_bytes()).expect("short"),
                value: value.into_bytes().into(),
            })
        }),
        (
            name(),
            name(),
            any::<u32>(),
            any::<[u16; 3]>(),
            any::<u32>()
        )
            .prop_map(|(mname, rname, serial, times, minimum)| RData::SOA(SOA {
                mname,
                rname,
                serial,
                refresh: times[0].into(),
                retry: times[1].into(),
                expire: times[2].into(),
                minimum,
            })),
    ]
}

/// Answers one DNS question on `socket` with `records`; returns the message that was sent.
fn serve(
    socket: &UdpSocket,
    records: &[ResourceRecord<'static>],
    checked: bool,
    code: RCODE,
) -> Vec<u8> {
    let mut question = [0; 4096];
    let (length, whom) = socket.recv_from(&mut question).expect("dig asks");
    let asked = Packet::parse(&question[..length]).expect("a question of dig");
    let mut packet = Packet::new_reply(asked.id());
    packet.set_flags(PacketFlag::RECURSION_DESIRED | PacketFlag::RECURSION_AVAILABLE);
    if checked {
        packet.set_flags(PacketFlag::AUTHENTIC_DATA);
    }
    *packet.rcode_mut() = code;
    packet.questions.clone_from(&asked.questions);
    packet.answers = records.to_vec();
    let message = packet.build_bytes_vec_compressed().expect("a message");
    socket.send_to(&message, whom).expect("loopback takes it");
    message
}

#[test]
#[expect(clippy::print_stdout, reason = "a skipped test says so")]
fn what_our_reader_reads_from_the_real_dig_is_what_a_codec_decodes() {
    if Command::new("dig").arg("-v").output().is_err() {
        println!("skipped: there is no dig here");
        return;
    }
    let answers = (
        prop::collection::vec((0_u32..0x7fff_ffff, data()), 1..8),
        any::<bool>(),
        prop_oneof![
            6 => Just(RCODE::NoError),
            1 => Just(RCODE::NameError),
            1 => Just(RCODE::Refused),
        ],
    );
    let mut runner = TestRunner::new(ProptestConfig {
        cases: 24,
        // A failing case is printed; no file of past failures is written.
        failure_persistence: None,
        ..ProptestConfig::default()
    });
    let ran = runner.run(&answers, |(data, checked, code)| {
        let records: Vec<ResourceRecord<'static>> = data
            .into_iter()
            .enumerate()
            .map(|(at, (ttl, data))| {
                // Each record has an owner of its own, since dig groups the records of one owner.
                let owner: &'static str = format!("r{at}.wire.test").leak();
                ResourceRecord::new(Name::new(owner).expect("a name"), CLASS::IN, ttl, data)
            })
            .collect();
        let socket = UdpSocket::bind("127.0.0.1:0").expect("a port of loopback");
        socket
            .set_read_timeout(Some(Duration::from_secs(20)))
            .expect("a time");
        let port = socket.local_addr().expect("bound").port().to_string();
        let server = thread::spawn(move || serve(&socket, &records, checked, code));
        let step = commands::dig("wire.test", "TXT", Some("127.0.0.1"));
        let out = Command::new("dig")
            .args(["-p", &port])
            .args(&step.argv)
            .env("LC_ALL", "C.UTF-8")
            .output()
            .expect("dig runs");
        let message = server.join().expect("it answered");
        compare(&String::from_utf8_lossy(&out.stdout), &message);
        Ok(())
    });
    if let Err(error) = ran {
        panic!("{error}");
    }
}
