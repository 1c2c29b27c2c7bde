//! Makes zip archives without compression; GitHub sends the logs of a run as a zip archive.

/// Returns an archive of `files`, pairs of a name and a text.
pub fn stored<'n>(files: impl Iterator<Item = (&'n str, String)>) -> Vec<u8> {
    let mut out = Vec::new();
    let mut directory = Vec::new();
    let mut count: u16 = 0;
    for (name, text) in files {
        let offset = length(&out);
        // The fields that the local and the central header share: version, flags (UTF-8 names), method, time, date, checksum, sizes, name length, extra length.
        let mut shared = Vec::new();
        for half in [20_u16, 1 << 11, 0, 0, 0x21] {
            shared.extend(half.to_le_bytes());
        }
        for word in [
            crc32(text.as_bytes()),
            length(text.as_bytes()),
            length(text.as_bytes()),
        ] {
            shared.extend(word.to_le_bytes());
        }
        let name_length = u16::try_from(name.len()).expect("a fixture's file name is short");
        shared.extend(name_length.to_le_bytes());
        shared.extend([0, 0]);
        out.extend(b"PK\x03\x04");
        out.extend(&shared);
        out.extend(name.as_bytes());
        out.extend(text.as_bytes());
        directory.extend(b"PK\x01\x02\x14\x03");
        directory.extend(&shared);
        directory.extend([0; 10]); // comment length, disk, internal and external attributes
        directory.extend(offset.to_le_bytes());
        directory.extend(name.as_bytes());
        count += 1;
    }
    let start = length(&out);
    out.extend(&directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend(count.to_le_bytes());
    out.extend(count.to_le_bytes());
    out.extend(length(&directory).to_le_bytes());
    out.extend(start.to_le_bytes());
    out.extend([0, 0]);
    out
}

fn length(bytes: &[u8]) -> u32 {
    u32::try_from(bytes.len()).expect("a fixture is smaller than 4 GB")
}

/// Returns the CRC-32 of `bytes` (ISO 3309), the checksum of zip.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0xedb8_8320
            } else {
                crc >> 1
            };
        }
    }
    !crc
}
