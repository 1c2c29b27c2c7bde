//! gh's own configuration for a test: a directory for `GH_CONFIG_DIR` that sends every request to the stand-in's socket.

use std::fmt::Write as _;
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// Writes config.yml to `dir`, and hosts.yml if there are `accounts`, each `HOST=LOGIN` or `HOST=LOGIN:TOKEN`.  The files say version 1,
/// which gh reads without a migration.
pub fn write_config(dir: &Path, socket: &Path, accounts: &[&str]) -> Result<(), String> {
    let socket = std::path::absolute(socket).map_err(|error| error.to_string())?;
    let mut builder = std::fs::DirBuilder::new();
    let made = builder.recursive(true).mode(0o700).create(dir);
    made.map_err(|error| format!("{}: {error}", dir.display()))?;
    let write = |name: &str, text: &str| {
        let file = dir.join(name);
        let opened = std::fs::OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(true)
            .mode(0o600)
            .open(&file);
        let written =
            opened.and_then(|mut out| std::io::Write::write_all(&mut out, text.as_bytes()));
        written.map_err(|error| format!("{}: {error}", file.display()))
    };
    let socket = serde_json::json!(socket); // a JSON string is a YAML string
    write(
        "config.yml",
        &format!(
            "version: \"1\"\nhttp_unix_socket: {socket}\nprompt: disabled\ngit_protocol: https\n"
        ),
    )?;
    if accounts.is_empty() {
        return Ok(());
    }
    let mut hosts = String::new();
    for account in accounts {
        let Some((host, login)) = account.split_once('=') else {
            return Err("--account wants HOST=LOGIN or HOST=LOGIN:TOKEN".to_owned());
        };
        let (login, token) = match login.split_once(':') {
            Some((login, token)) => (login, Some(token)),
            None => (login, None),
        };
        let infallible = "writing to a string can't fail";
        writeln!(
            hosts,
            "{host}:\n    git_protocol: https\n    users:\n        {login}:"
        )
        .expect(infallible);
        if let Some(token) = token {
            writeln!(
                hosts,
                "            oauth_token: {token}\n    oauth_token: {token}"
            )
            .expect(infallible);
        }
        writeln!(hosts, "    user: {login}").expect(infallible);
    }
    write("hosts.yml", &hosts)
}
