//! The program `lab`: stand-ins for GitHub and a model, for tests and the demo.  `lab help` says how to start them.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::disallowed_methods, // a program of its own: it reads its environment and prints
    clippy::format_push_string
)]

mod git;
mod github;
mod graphql;
mod http;
mod log;
mod memory;
mod model;
mod options;
mod place;
mod rest;
mod scalar;
mod setup;
mod tokens;
mod trouble;
mod world;
mod writes;
mod zip;

use http::{Listener, Service, serve};
use log::{Log, write_by_rename};
use options::Options;
use std::io::Read;
use std::net::TcpListener;
use std::os::unix::fs::FileTypeExt;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

const HELP: &str = "\
lab: stand-ins for GitHub and a model; no network beyond loopback and a unix socket

lab github --socket PATH --log FILE [--fixtures DIR] [--ghe HOST]… [--token LABEL=VALUE]… [--ready FILE] [--forget] [--log-queries] [--until-eof]
    GitHub on a unix socket, plain HTTP, every host at once.  --ghe (default ghe.example.com) names the enterprise hosts that exist;
    github.com and *.ghe.com always do.  --ready names a file that is written, by rename, once the socket accepts connections.
lab model --script FILE --log FILE --port-file FILE [--token LABEL=VALUE]… [--until-eof]
    An OpenAI-compatible server on 127.0.0.1, port 0; the port's number is written to the port file by rename.
lab serve --dir DIR [--script FILE] [--fixtures DIR] [--ghe HOST]… [--token LABEL=VALUE]… [--account HOST=LOGIN[:TOKEN]]… [--forget] [--log-queries]
    Both in one process, with the files of `lab env': DIR/github.sock, DIR/github.jsonl, DIR/model.port, DIR/model.jsonl, DIR/gh-config/, and last
    DIR/ready.json, which names them all.  Without --script it plays the embedded demo script.  It ends when its standard input ends or the
    parent process is gone.
lab env --dir DIR --socket PATH [--account HOST=LOGIN[:TOKEN]]…
    Writes DIR/config.yml, which sends gh to the socket (use DIR as GH_CONFIG_DIR), and DIR/hosts.yml when there are accounts.
lab query [--fixtures DIR] [--host HOST] [--variables JSON] < QUERY
    Prints the stand-in's answer to the GraphQL query on standard input.
lab knobs
    Prints the owners whose repositories always fail, each with its failure.

--forget: no write changes anything, so that the same call can be compared again and again; else writes are remembered until the lab ends.
--until-eof: end when standard input ends or the parent process is gone.
--fixtures DIR: DIR/world.json overrides members of the embedded world.json; the rows of DIR/rest.json are tried before the embedded ones.
A file in DIR that is replaced counts from the next request on, so that a test can change GitHub while a question is on the screen.
";

/// The parent process at the start, so that a parent that dies before the watch begins is noticed too.
static PARENT: OnceLock<nix::unistd::Pid> = OnceLock::new();

fn main() -> ExitCode {
    PARENT.get_or_init(nix::unistd::getppid);
    let mut words = std::env::args().skip(1);
    let command = words.next().unwrap_or_default();
    let result = match command.as_str() {
        "github" => {
            Options::read(words, options::GITHUB).and_then(|options| github_command(&options))
        }
        "model" => Options::read(words, options::MODEL).and_then(|options| model_command(&options)),
        "serve" => Options::read(words, options::SERVE).and_then(|options| serve_command(&options)),
        "env" => Options::read(words, options::ENV).and_then(|options| env_command(&options)),
        "query" => Options::read(words, options::QUERY).and_then(|options| query_command(&options)),
        "knobs" => {
            for (owner, what) in trouble::ROWS {
                println!("{owner:<18}{what}");
            }
            Ok(())
        }
        "help" | "--help" => {
            print!("{HELP}");
            Ok(())
        }
        other => Err(format!("there is no command `{other}'; see `lab help'")),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("lab: {why}");
            ExitCode::from(2)
        }
    }
}

fn github_command(options: &Options) -> Result<(), String> {
    let socket = options.path("socket")?;
    let service = github_service(options, &options.path("log")?)?;
    let listener = listen_unix(&socket)?;
    end_with_input(options.has("until-eof"), vec![socket.clone()]);
    if let Some(ready) = options.get("ready") {
        let text = serde_json::json!({ "socket": socket, "pid": std::process::id() }).to_string();
        write_by_rename(Path::new(ready), &text).map_err(|error| format!("{ready}: {error}"))?;
    }
    run(&listener, &service)
}

fn model_command(options: &Options) -> Result<(), String> {
    let script = options.path("script")?;
    let text = std::fs::read_to_string(&script)
        .map_err(|error| format!("{}: {error}", script.display()))?;
    let service = model_service(options, &text, &options.path("log")?)?;
    let (listener, port) = listen_tcp()?;
    end_with_input(options.has("until-eof"), Vec::new());
    let file = options.path("port-file")?;
    write_by_rename(&file, &port.to_string())
        .map_err(|error| format!("{}: {error}", file.display()))?;
    run(&listener, &service)
}

fn serve_command(options: &Options) -> Result<(), String> {
    let dir = std::path::absolute(options.path("dir")?).map_err(|error| error.to_string())?;
    std::fs::create_dir_all(&dir).map_err(|error| format!("{}: {error}", dir.display()))?;
    let socket = dir.join("github.sock");
    let script = match options.get("script") {
        Some(file) => std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?,
        None => include_str!("../../fixtures/model/demo.json").to_owned(),
    };
    let config = dir.join("gh-config");
    let github = github_service(options, &dir.join("github.jsonl"))?;
    let model = model_service(options, &script, &dir.join("model.jsonl"))?;
    let unix = listen_unix(&socket)?;
    let (tcp, port) = listen_tcp()?;
    end_with_input(true, vec![socket.clone()]);
    setup::write_config(&config, &socket, &options.all("account"))?;
    let write = |name: &str, text: &str| {
        let file = dir.join(name);
        write_by_rename(&file, text).map_err(|error| format!("{}: {error}", file.display()))
    };
    write("model.port", &port.to_string())?;
    let ready = serde_json::json!({
        "pid": std::process::id(), "socket": socket, "port": port, "gh_config_dir": config,
        "github_log": dir.join("github.jsonl"), "model_log": dir.join("model.jsonl"),
    });
    write("ready.json", &ready.to_string())?;
    std::thread::spawn(move || run(&tcp, &model));
    run(&unix, &github)
}

fn env_command(options: &Options) -> Result<(), String> {
    setup::write_config(
        &options.path("dir")?,
        &options.path("socket")?,
        &options.all("account"),
    )
}

fn query_command(options: &Options) -> Result<(), String> {
    let mut query = String::new();
    std::io::stdin()
        .read_to_string(&mut query)
        .map_err(|error| error.to_string())?;
    let world = world::World::load(options.get("fixtures").map(Path::new))?;
    let variables = serde_json::from_str(options.get("variables").unwrap_or("{}"));
    let variables = variables.map_err(|error| format!("--variables: {error}"))?;
    let host = options.get("host").unwrap_or("github.com").to_owned();
    let place = place::Place {
        api: format!("https://api.{host}"),
        host,
        number: 1,
        ..place::Place::default()
    };
    let answered = graphql::answer(&world, &place, &query, None, &variables)?;
    println!(
        "{}",
        serde_json::json!({ "data": answered.data, "errors": answered.errors })
    );
    Ok(())
}

fn github_service(options: &Options, log: &Path) -> Result<Arc<dyn Service>, String> {
    let mut enterprise: Vec<String> = options
        .all("ghe")
        .iter()
        .map(|host| host.to_ascii_lowercase())
        .collect();
    if enterprise.is_empty() {
        enterprise.push("ghe.example.com".to_owned());
    }
    Ok(Arc::new(github::GitHub {
        worlds: world::Worlds::load(options.get("fixtures").map(Path::new))?,
        enterprise,
        log: Log::create(log).map_err(|error| format!("{}: {error}", log.display()))?,
        tokens: tokens_of(options)?,
        forget: options.has("forget"),
        log_queries: options.has("log-queries"),
    }))
}

fn model_service(options: &Options, script: &str, log: &Path) -> Result<Arc<dyn Service>, String> {
    let log = Log::create(log).map_err(|error| format!("{}: {error}", log.display()))?;
    Ok(Arc::new(model::Model::new(
        script,
        log,
        tokens_of(options)?,
    )?))
}

fn tokens_of(options: &Options) -> Result<tokens::Tokens, String> {
    let mut tokens = tokens::Tokens::default();
    for pair in options.all("token") {
        if !tokens.add(pair) {
            return Err("--token wants LABEL=VALUE".to_owned());
        }
    }
    Ok(tokens)
}

/// Binds a unix socket at `path`.  A socket that an earlier run left there is removed first; any other file there is an error.
fn listen_unix(path: &Path) -> Result<Listener, String> {
    let say = |error: std::io::Error| {
        format!(
            "{}: {error} (a socket's path has at most 107 bytes)",
            path.display()
        )
    };
    if std::fs::symlink_metadata(path).is_ok_and(|data| data.file_type().is_socket()) {
        std::fs::remove_file(path).map_err(say)?;
    }
    UnixListener::bind(path).map(Listener::Unix).map_err(say)
}

fn listen_tcp() -> Result<(Listener, u16), String> {
    let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
    let port = listener
        .local_addr()
        .map_err(|error| error.to_string())?
        .port();
    Ok((Listener::Tcp(listener), port))
}

fn run(listener: &Listener, service: &Arc<dyn Service>) -> Result<(), String> {
    serve(listener, service).map_err(|error| error.to_string())
}

/// If `wanted`, starts threads that remove `files` and end the process when standard input ends or the parent process changes.
fn end_with_input(wanted: bool, files: Vec<PathBuf>) {
    if !wanted {
        return;
    }
    let leave = move || -> ! {
        for file in &files {
            // The test may have removed the file with its directory; the process ends either way.
            let _ = std::fs::remove_file(file);
        }
        std::process::exit(0)
    };
    let leave = Arc::new(leave);
    let on_eof = Arc::clone(&leave);
    std::thread::spawn(move || {
        let mut sink = [0; 4096];
        let mut input = std::io::stdin();
        while input.read(&mut sink).is_ok_and(|count| count > 0) {}
        on_eof()
    });
    let parent = *PARENT.get_or_init(nix::unistd::getppid);
    std::thread::spawn(move || {
        while nix::unistd::getppid() == parent {
            std::thread::sleep(Duration::from_millis(300));
        }
        leave()
    });
}
