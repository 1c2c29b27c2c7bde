//! Reads `nmcli -t -f NAME,TYPE,DEVICE,STATE connection show --active`: fields between colons, with `\:` and `\\` inside of fields
//! (nmcli(1)).

use super::{Bounded, Outside, Unreadable, bounds};

/// A connection of `NetworkManager`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Connection {
    /// Its name, which may be the name of a wireless network.
    pub name: Outside,
    /// `802-3-ethernet`, `wifi`, `vpn`, …
    pub kind: Outside,
    /// Its interface.
    pub device: Outside,
    /// `activated`, `activating`, …
    pub state: Outside,
}

/// Reads every line that has the four fields.
///
/// # Errors
/// The text is too long.
pub fn read(text: &str) -> Result<Bounded<Connection>, Unreadable> {
    bounds::length(text)?;
    Ok(Bounded::of(text.lines().filter_map(|line| {
        let fields = fields(line);
        let [name, kind, device, state] = fields.as_slice() else {
            return None;
        };
        Some(Connection {
            name: Outside::new(name),
            kind: Outside::new(kind),
            device: Outside::new(device),
            state: Outside::new(state),
        })
    })))
}

fn fields(line: &str) -> Vec<String> {
    let (mut out, mut field, mut chars) = (Vec::new(), String::new(), line.chars());
    while let Some(c) = chars.next() {
        match c {
            '\\' => field.extend(chars.next()),
            ':' => out.push(std::mem::take(&mut field)),
            _ => field.push(c),
        }
    }
    out.push(field);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escaped_colon_or_backslash_is_part_of_its_field() {
        let read = read("Lab\\: br\\\\home é:bridge:br0:activated\nshort:line\n").expect("short");
        assert_eq!(read.rows.len(), 1);
        assert_eq!(read.rows[0].name.as_str(), "Lab: br\\home é");
        assert_eq!(read.rows[0].state.as_str(), "activated");
    }
}
