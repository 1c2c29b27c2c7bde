//! What a call asks about.

use std::net::{IpAddr, SocketAddr};

use super::resolving;
use crate::net::commands;
use crate::net::facts::Resolver;
use crate::net::step::Step;

/// What a call asks about.
pub struct Asked<'a> {
    pub name: Option<&'a str>,
    pub address: &'a str,
    pub others: &'a [String],
    pub port: Option<u16>,
    pub resolver: &'a Resolver,
}

impl Asked<'_> {
    /// The ports that are tried, the one that matters first; port 80 shows whether plain HTTP answers where 443 does not.
    pub fn ports(&self) -> Vec<u16> {
        match self.port {
            None => vec![80, 443],
            Some(443) => vec![443, 80],
            Some(port) => vec![port],
        }
    }

    /// The steps that are run side by side once there is a way.
    pub fn steps(&self) -> Vec<Step> {
        let mut steps = vec![
            commands::ping(self.address),
            commands::traceroute(self.address),
        ];
        if let Some(name) = self.name {
            steps.extend(resolving::steps(name, self.resolver));
        }
        steps
    }
}

/// Address and port for the kernel.
pub fn socket(address: &str, port: u16) -> Option<SocketAddr> {
    let ip: IpAddr = address.split('%').next()?.parse().ok()?;
    // A link-local address needs its interface, which the kernel takes as a number.
    let scope = address.split_once('%').map_or(0, |(_, zone)| {
        nix::net::if_::if_nametoindex(zone).unwrap_or(0)
    });
    Some(match ip {
        IpAddr::V4(_) => SocketAddr::new(ip, port),
        IpAddr::V6(six) => std::net::SocketAddrV6::new(six, port, 0, scope).into(),
    })
}
