//! The user's options for the network tools.

use std::net::IpAddr;
use std::path::{Path, PathBuf};

use ipnet::IpNet;

use super::programs::PROGRAMS;
use crate::foreign::Foreign;
use crate::gate::decide::policy;
use crate::gate::{ErrorKind, Refusal};

/// The user's options, as the Lisp layer passes them.
#[derive(Clone, Debug, Default)]
pub struct NetSettings {
    /// The programs that were found: their names and absolute file names.
    pub programs: Vec<(String, PathBuf)>,
    /// Emacs's global `process-environment`.
    pub environment: Foreign<Vec<String>>,
    /// Policies that all hold: the strictest answer counts.
    pub policies: Vec<policy::Layer>,
    /// `cj/gate-result-budget`, in tokens; `None`: the default.
    pub result_budget: Option<usize>,
    /// `cj/net-trusted-networks`: networks that are discovered without asking a person.
    pub trusted: Vec<String>,
}

impl NetSettings {
    /// Whether `address` lies in one of the networks that are discovered without asking a person.
    pub fn trusts(&self, address: IpAddr) -> bool {
        let nets = self
            .trusted
            .iter()
            .filter_map(|text| text.parse::<IpNet>().ok());
        nets.into_iter().any(|net| net.contains(&address))
    }

    /// The absolute file name of program `name`.
    ///
    /// # Errors
    /// `no-executable`, with the packages to install.
    pub fn program(&self, name: &str) -> Result<&Path, Refusal> {
        if let Some((_, path)) = self.programs.iter().find(|(known, _)| known == name) {
            return Ok(path);
        }
        let packages = PROGRAMS.iter().find(|(known, ..)| *known == name).map_or_else(
            String::new,
            |(_, _, [debian, fedora, arch])| {
                format!("Install it (Debian: {debian}; Fedora: {fedora}; Arch: {arch}), or name it in `cj/net-executables'.")
            },
        );
        Err(Refusal::new(
            ErrorKind::NoExecutable,
            format!("{name} is not installed.\n{packages}"),
        ))
    }
}
