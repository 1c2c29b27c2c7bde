use super::*;

/// Checks that `url` reads as `expect`, `HOST/OWNER/REPO`; an empty `expect` means that `url` is refused.
fn check(url: &str, expect: &str) {
    let got = parse_remote(url).map_or(String::new(), |r| {
        format!("{}/{}/{}", r.host, r.owner, r.repo)
    });
    assert_eq!(got, expect, "{url}");
}

fn check_arg(arg: &str, expect: &str) {
    let got = parse_repo_arg(arg).map_or(String::new(), |r| {
        format!("{}|{}|{}", r.host.unwrap_or_default(), r.owner, r.repo)
    });
    assert_eq!(got, expect, "{arg}");
}

#[test]
fn every_form_of_git_clone_names_its_repository() {
    for url in [
        "git@github.com:o/r.git",
        "git@github.com:o/r",
        "git@github.com:o/r/",
        "git@github.com:o/r.git/",
        "git@github.com:/o/r.git",
        "github.com:o/r.git",
        "alice@GitHub.com:o/r",
        "ssh://git@github.com/o/r.git",
        "ssh://github.com/o/r",
        "ssh://git@github.com:22/o/r.git",
        "ssh://git@github.com:/o/r.git",
        "git+ssh://git@github.com/o/r.git/",
        "ssh+git://git@github.com/o/r.git",
        "ssh://git@ssh.github.com:443/o/r.git",
        "git@ssh.github.com:o/r.git",
        "https://github.com/o/r",
        "https://github.com/o/r.git",
        "https://github.com/o/r.git/",
        "https://github.com/o/r//",
        "https://GITHUB.COM/o/r",
        "https://www.github.com/o/r",
        "https://github.com:443/o/r",
        "https://alice@github.com/o/r",
        "https://alice:ghp_x@github.com/o/r",
        "https://a%40b.example:x@github.com/o/r",
        "git+https://github.com/o/r.git",
        "http://github.com/o/r",
        "git://github.com/o/r.git",
    ] {
        check(url, "github.com/o/r");
    }
}

#[test]
fn names_keep_case_dots_and_underscores() {
    check(
        "git@ghe.example.com:Big-Org/dot.files.git",
        "ghe.example.com/Big-Org/dot.files",
    );
    check("https://github.com/o/.github", "github.com/o/.github");
    check("https://github.com/a_b/_x-", "github.com/a_b/_x-");
}

#[test]
fn a_url_that_only_looks_like_github_is_never_github() {
    check(
        "https://github.com.evil.example/o/r",
        "github.com.evil.example/o/r",
    );
    check("https://github.com@evil.example/o/r", "evil.example/o/r");
    check("https://github.com:x@evil.example/o/r", "evil.example/o/r");
    check(
        "git@github.com.evil.example:o/r",
        "github.com.evil.example/o/r",
    );
    check("github.com@evil.example:o/r", "evil.example/o/r");
    check("https://xn--gthub-cta.com/o/r", "xn--gthub-cta.com/o/r");
    check("https://ssh.github.com/o/r", "ssh.github.com/o/r");
    for url in [
        "https://evil.example#@github.com/o/r",
        "https://evil.example?@github.com/o/r",
        "https://evil.example/@github.com/o/r",
        "https://evil.example\\@github.com/o/r",
        "https://github.com\\.evil.example/o/r",
        "https://a@evil.example@github.com/o/r",
        "https://github.com%2eevil.example/o/r",
        "https://github%2ecom/o/r",
        "https://g\u{0456}thub.com/o/r",
        "https://github\u{3002}com/o/r",
        "https://github.com./o/r",
        "https://.github.com/o/r",
        "https://github.com:443:80/o/r",
        "https://github.com:0/o/r",
        "https://github.com:99999/o/r",
        "https://github.com:+443/o/r",
        "https://[::1]/o/r",
        "https:///o/r",
        "https://-github.com/o/r",
        "git@a@github.com:o/r",
        "@github.com:o/r",
        "https://github.com/o/r\n",
        "https://github.com/o/r\0x",
        " https://github.com/o/r",
    ] {
        check(url, "");
    }
}

#[test]
fn a_path_that_is_not_owner_and_repository_is_refused() {
    for url in [
        "",
        "https://github.com",
        "https://github.com/",
        "https://github.com/o",
        "https://github.com/o/",
        "https://github.com/o//r",
        "https://github.com/o/r/pull/1",
        "https://github.com/o/.git",
        "https://github.com/o/r.git.git",
        "https://github.com/o/..",
        "https://github.com/../r",
        "https://github.com/o/.",
        "https://github.com/o/a..b",
        "https://github.com/-o/r",
        "https://github.com/o/-r",
        "https://github.com/o/r%2fx",
        "https://github.com/o/r@x",
        "https://github.com/o/r#x",
        "https://github.com/o/r?x=1",
        "https://github.com/o/r\u{202e}x",
        "git@github.com:o",
        "git@github.com:~/r",
        "git@github.com:443/o/r",
    ] {
        check(url, "");
    }
}

#[test]
fn local_paths_and_other_schemes_name_no_repository() {
    for url in [
        "/srv/git/o/r.git",
        "../o/r",
        "./github.com:o/r",
        "o/r",
        "file:///o/r",
        "file://github.com/o/r",
        "ftp://github.com/o/r",
        "HTTPS://github.com/o/r",
        "ext::sh -c x",
        "ext::github.com/o/r",
        "C:\\o\\r",
    ] {
        check(url, "");
    }
    assert_eq!(parse_remote("ext::x/y"), Err(RemoteError::Scheme));
    assert_eq!(parse_remote("/o/r"), Err(RemoteError::NoHost));
    assert_eq!(
        parse_remote(&format!("https://github.com/o/{}", "r".repeat(3_000))),
        Err(RemoteError::TooLong)
    );
}

#[test]
fn a_repo_argument_takes_what_gh_takes_after_its_flag() {
    check_arg("o/r", "|o|r");
    check_arg("o/r.git", "|o|r");
    check_arg("GHE.example.com/o/r", "ghe.example.com|o|r");
    check_arg("www.github.com/o/r", "github.com|o|r");
    check_arg("https://github.com/o/r", "github.com|o|r");
    check_arg("git@ghe.example.com:o/r.git", "ghe.example.com|o|r");
    check_arg("ssh://git@github.com/o/r", "github.com|o|r");
}

#[test]
fn a_repo_argument_that_hides_another_host_or_a_flag_is_refused() {
    for arg in [
        "",
        "o",
        "/o/r",
        "o/r/",
        "o//r",
        "a/b/c/d",
        "github.com:443/o/r",
        "github.com@evil.example/o/r",
        "evil.example#/o/r",
        "-o/r",
        "--repo=x/y",
        "o/-r",
        "o/..",
        "../../user",
        "o/r#1",
        "o/r?x",
        "o/r\n",
        "o\u{2215}x/r",
        "github.com%2f/o/r",
        "github.com\\evil/o/r",
    ] {
        check_arg(arg, "");
    }
}

#[test]
fn a_host_name_is_letters_digits_dashes_and_dots() {
    assert_eq!(
        check_host_name("GHE.Example.COM").as_deref(),
        Ok("ghe.example.com")
    );
    assert_eq!(check_host_name("localhost").as_deref(), Ok("localhost"));
    assert_eq!(check_host_name(""), Err(HostError::Empty));
    assert_eq!(check_host_name("a:1"), Err(HostError::Character(':')));
    assert_eq!(check_host_name("-XDELETE"), Err(HostError::Label));
    assert_eq!(check_host_name("github.com."), Err(HostError::Label));
    assert_eq!(check_host_name("a_b"), Err(HostError::Character('_')));
    assert_eq!(
        check_host_name("g\u{0456}"),
        Err(HostError::Character('\u{0456}'))
    );
    assert_eq!(check_host_name(&"a".repeat(64)), Err(HostError::TooLong));
    assert_eq!(check_host_name(&"a.".repeat(130)), Err(HostError::TooLong));
}
