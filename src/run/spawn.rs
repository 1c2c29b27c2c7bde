//! Starting one child by `posix_spawn`: the only unsafe code of the runner.
//!
//! `std::process` is not used: its child inherits the calling thread's signal mask, and with any step before exec it forks, which
//! takes the longer the larger Emacs is.  `posix_spawn` shares the memory until exec and so costs the same at any size.
//!
//! This file makes system calls and nothing else; other files decide when to start and when to kill.

use std::ffi::{CStr, CString, c_int};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, FromRawFd, OwnedFd, RawFd};
use std::ptr;

use nix::fcntl::{FcntlArg, OFlag, fcntl};

/// A child's first three descriptors; `None` stands for `/dev/null`.
#[derive(Clone, Copy, Default)]
pub(super) struct Stdio<'a> {
    pub(super) stdin: Option<BorrowedFd<'a>>,
    pub(super) stdout: Option<BorrowedFd<'a>>,
    pub(super) stderr: Option<BorrowedFd<'a>>,
}

/// How a child ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Exit {
    Code(i32),
    Signal(i32),
}

/// A pipe, read end first.  Both ends close on exec and have numbers above 2, so that putting one end on descriptor 1 cannot close
/// the other (Emacs may run with 0, 1 or 2 closed).
pub(super) fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (read, write) = nix::unistd::pipe2(OFlag::O_CLOEXEC)?;
    Ok((lifted(read)?, lifted(write)?))
}

fn lifted(fd: OwnedFd) -> io::Result<OwnedFd> {
    if fd.as_raw_fd() > libc::STDERR_FILENO {
        return Ok(fd);
    }
    let high = fcntl(&fd, FcntlArg::F_DUPFD_CLOEXEC(libc::STDERR_FILENO + 1))?;
    // SAFETY: F_DUPFD_CLOEXEC has just made `high`; nothing else knows or closes it.
    Ok(unsafe { OwnedFd::from_raw_fd(high) })
}

/// The file actions of one spawn; freed on drop.
struct Actions(libc::posix_spawn_file_actions_t);

impl Actions {
    fn new() -> io::Result<Self> {
        let mut raw = MaybeUninit::uninit();
        // SAFETY: `raw` is writable memory of the right type; init only writes it.
        check(unsafe { libc::posix_spawn_file_actions_init(raw.as_mut_ptr()) })?;
        // SAFETY: init returned 0, so it has filled the value in.
        Ok(Self(unsafe { raw.assume_init() }))
    }

    /// Makes `from`, or `/dev/null` opened with `flags`, the child's descriptor `to`.
    fn put(&mut self, to: RawFd, from: Option<BorrowedFd<'_>>, flags: c_int) -> io::Result<()> {
        check(match from {
            // SAFETY: `self.0` is initialised; the call only notes two numbers in it.
            Some(from) => unsafe {
                libc::posix_spawn_file_actions_adddup2(&raw mut self.0, from.as_raw_fd(), to)
            },
            // SAFETY: `self.0` is initialised; the path is a constant C string, and glibc copies it.
            None => unsafe {
                libc::posix_spawn_file_actions_addopen(
                    &raw mut self.0,
                    to,
                    c"/dev/null".as_ptr(),
                    flags,
                    0,
                )
            },
        })
    }

    fn chdir(&mut self, to: &CStr) -> io::Result<()> {
        // SAFETY: `self.0` is initialised; `to` ends in NUL, and glibc copies it.
        check(unsafe { libc::posix_spawn_file_actions_addchdir_np(&raw mut self.0, to.as_ptr()) })
    }

    fn close_from(&mut self, first: c_int) -> io::Result<()> {
        // SAFETY: `self.0` is initialised; the call only notes a number in it.
        check(unsafe { libc::posix_spawn_file_actions_addclosefrom_np(&raw mut self.0, first) })
    }
}

impl Drop for Actions {
    fn drop(&mut self) {
        // SAFETY: `self.0` was initialised in `new` and is destroyed once, here.
        unsafe { libc::posix_spawn_file_actions_destroy(&raw mut self.0) };
    }
}

/// The attributes of one spawn; freed on drop.
struct Attributes(libc::posix_spawnattr_t);

impl Attributes {
    /// Attributes for a child in a new session, with no signal blocked and none ignored.
    fn clean() -> io::Result<Self> {
        let mut raw = MaybeUninit::uninit();
        // SAFETY: `raw` is writable memory of the right type; init only writes it.
        check(unsafe { libc::posix_spawnattr_init(raw.as_mut_ptr()) })?;
        // SAFETY: init returned 0, so it has filled the value in.
        let mut attributes = Self(unsafe { raw.assume_init() });
        let flags = c_int::from(libc::POSIX_SPAWN_SETSID)
            | libc::POSIX_SPAWN_SETSIGMASK as c_int
            | libc::POSIX_SPAWN_SETSIGDEF as c_int;
        let flags = libc::c_short::try_from(flags).expect("the flags are all below 256");
        let mut none = MaybeUninit::uninit();
        let mut all = MaybeUninit::uninit();
        // SAFETY: `attributes.0` is initialised; each set is filled in by its own call before it
        // is read, and both outlive the calls, which copy them.
        unsafe {
            check(libc::posix_spawnattr_setflags(&raw mut attributes.0, flags))?;
            libc::sigemptyset(none.as_mut_ptr());
            check(libc::posix_spawnattr_setsigmask(
                &raw mut attributes.0,
                none.as_ptr(),
            ))?;
            libc::sigfillset(all.as_mut_ptr());
            check(libc::posix_spawnattr_setsigdefault(
                &raw mut attributes.0,
                all.as_ptr(),
            ))?;
        }
        Ok(attributes)
    }
}

impl Drop for Attributes {
    fn drop(&mut self) {
        // SAFETY: `self.0` was initialised in `clean` and is destroyed once, here.
        unsafe { libc::posix_spawnattr_destroy(&raw mut self.0) };
    }
}

/// Starts `argv` (its first word is the program's absolute path) in `cwd`, with the environment `env` and nothing else.
/// Returns the child's process id, which is the number of its group and its session too.
///
/// Returns when the child has become the program.
///
/// # Errors
/// The system's reason why the child could not become the program.
#[expect(
    clippy::disallowed_methods,
    reason = "the one place that starts a child"
)]
pub(super) fn spawn(
    argv: &[CString],
    env: &[CString],
    cwd: &CStr,
    stdio: Stdio<'_>,
) -> io::Result<i32> {
    let program = argv.first().ok_or(io::ErrorKind::InvalidInput)?;
    let mut actions = Actions::new()?;
    actions.put(libc::STDIN_FILENO, stdio.stdin, libc::O_RDONLY)?;
    actions.put(libc::STDOUT_FILENO, stdio.stdout, libc::O_WRONLY)?;
    actions.put(libc::STDERR_FILENO, stdio.stderr, libc::O_WRONLY)?;
    actions.chdir(cwd)?;
    // This action stands last: until then the child still holds the lifeline's pipe, see lifeline.rs.
    actions.close_from(libc::STDERR_FILENO + 1)?;
    let attributes = Attributes::clean()?;
    let argv = pointers(argv);
    let env = pointers(env);
    let mut pid = 0;
    // SAFETY: every pointer is to live memory of the right type: `program` and the strings behind
    // `argv` and `env` end in NUL and are borrowed until after the call, both arrays end in a null
    // pointer, `actions` and `attributes` are initialised.  The strings are not written to.
    check(unsafe {
        libc::posix_spawn(
            &raw mut pid,
            program.as_ptr(),
            &raw const actions.0,
            &raw const attributes.0,
            argv.as_ptr(),
            env.as_ptr(),
        )
    })?;
    Ok(pid)
}

/// `strings` in the form of execve(2): pointers, and a null pointer at the end.
fn pointers(strings: &[CString]) -> Vec<*mut libc::c_char> {
    strings
        .iter()
        .map(|s| s.as_ptr().cast_mut())
        .chain([ptr::null_mut()])
        .collect()
}

/// A descriptor that polls readable when the child `pid` has ended (Linux 5.3).
/// `pid` must be an unreaped child, so that the number cannot mean another process.
pub(super) fn pidfd(pid: i32) -> io::Result<OwnedFd> {
    // SAFETY: the call takes two numbers and touches no memory of ours.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    let fd = RawFd::try_from(fd).expect("a descriptor or -1");
    if fd < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the kernel has just made `fd` for us (close-on-exec); nothing else knows it.
    Ok(unsafe { OwnedFd::from_raw_fd(fd) })
}

/// A limit on a process (getrlimit(2)).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Resource {
    /// `RLIMIT_DATA`: bytes of private writable memory.
    Data,
    /// `RLIMIT_FSIZE`: bytes of a file that the process writes; one byte more ends the process by SIGXFSZ.
    File,
}

/// Sets the soft and the hard limit on the `resource` of `pid` to `most`; a lower limit stays.
///
/// # Errors
/// The process is gone (ESRCH), belongs to another user or may not be limited (EPERM).
pub(super) fn limit(pid: i32, resource: Resource, most: u64) -> io::Result<()> {
    let resource = match resource {
        Resource::Data => libc::RLIMIT_DATA,
        Resource::File => libc::RLIMIT_FSIZE,
    };
    let mut now = MaybeUninit::<libc::rlimit64>::uninit();
    // SAFETY: with no new limit the call only writes the old one into `now`, which is writable and of the right type.
    let got = unsafe { libc::prlimit64(pid, resource, ptr::null(), now.as_mut_ptr()) };
    if got != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the call returned 0, so it has filled the value in.
    let now = unsafe { now.assume_init() };
    let new = libc::rlimit64 {
        rlim_cur: now.rlim_cur.min(most),
        rlim_max: now.rlim_max.min(most),
    };
    // SAFETY: the call reads `new`, which outlives it, and with a null pointer for the old limit writes nothing.
    match unsafe { libc::prlimit64(pid, resource, &raw const new, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Takes the exit status of the child `pid`; `None` when the child still runs and `wait` is false, or when it is no child of ours
/// any more.
///
/// nix's `waitpid` is not used: it loses the status of a child that a real-time signal ended.
pub(super) fn reap(pid: i32, wait: bool) -> Option<Exit> {
    let mut status = 0;
    let flags = if wait { 0 } else { libc::WNOHANG };
    loop {
        // SAFETY: `status` is writable and outlives the call.
        let got = unsafe { libc::waitpid(pid, &raw mut status, flags) };
        if got == pid {
            return Some(if libc::WIFSIGNALED(status) {
                Exit::Signal(libc::WTERMSIG(status))
            } else {
                Exit::Code(libc::WEXITSTATUS(status))
            });
        }
        if got == 0 || io::Error::last_os_error().kind() != io::ErrorKind::Interrupted {
            return None;
        }
    }
}

/// The result of a function of the `posix_spawn` family: these return their error instead of setting errno.
fn check(code: c_int) -> io::Result<()> {
    match code {
        0 => Ok(()),
        code => Err(io::Error::from_raw_os_error(code)),
    }
}
