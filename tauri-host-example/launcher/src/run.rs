//! Becoming the Runtime.

#[cfg(unix)]
pub use unix::run;
#[cfg(windows)]
pub use windows::run;

#[cfg(unix)]
mod unix {
    use std::ffi::OsString;
    use std::io::Error;
    use std::os::unix::process::CommandExt;
    use std::path::Path;
    use std::process::Command;

    /// Replace this process by the program: one process, the same pid, so that who kills this one kills the Runtime.
    /// Returns only where that fails.
    pub fn run(program: &Path, arguments: impl Iterator<Item = OsString>) -> Error {
        Command::new(program).args(arguments).exec()
    }
}

/// Tried under Wine; not yet on Windows itself.
#[cfg(windows)]
mod windows {
    use std::ffi::{c_void, OsString};
    use std::io::{Error, Result};
    use std::mem::size_of;
    use std::path::Path;
    use std::process::{exit, Command};
    use std::ptr::null;

    type Handle = *mut c_void;

    const EXTENDED_LIMIT_INFORMATION: i32 = 9;
    const KILL_ON_JOB_CLOSE: u32 = 0x2000;

    #[repr(C)]
    #[derive(Default)]
    struct BasicLimits {
        process_time: i64,
        job_time: i64,
        flags: u32,
        minimum_working_set: usize,
        maximum_working_set: usize,
        active_processes: u32,
        affinity: usize,
        priority_class: u32,
        scheduling_class: u32,
    }

    #[repr(C)]
    #[derive(Default)]
    struct ExtendedLimits {
        basic: BasicLimits,
        io_counters: [u64; 6],
        process_memory: usize,
        job_memory: usize,
        peak_process_memory: usize,
        peak_job_memory: usize,
    }

    #[link(name = "kernel32")]
    extern "system" {
        fn CreateJobObjectW(attributes: *const c_void, name: *const u16) -> Handle;
        fn SetInformationJobObject(job: Handle, class: i32, limits: *const c_void, size: u32) -> i32;
        fn AssignProcessToJobObject(job: Handle, process: Handle) -> i32;
        fn GetCurrentProcess() -> Handle;
    }

    /// Stay as the program's parent, and end with its exit code. Returns only where it cannot be started.
    pub fn run(program: &Path, arguments: impl Iterator<Item = OsString>) -> Error {
        let outcome = join_job().and_then(|()| Command::new(program).args(arguments).status());
        match outcome {
            Ok(status) => exit(status.code().unwrap_or(1)),
            Err(error) => error,
        }
    }

    /// Enter a job that ends with this process: whatever is started from now on is born into it and dies with it.
    /// The handle is left open; the system closes it however this process ends.
    fn join_job() -> Result<()> {
        let mut limits = ExtendedLimits::default();
        limits.basic.flags = KILL_ON_JOB_CLOSE;
        // SAFETY: the structure is laid out as Windows documents it, outlives the call, and its size is given.
        unsafe {
            let job = CreateJobObjectW(null(), null());
            if job.is_null() {
                return Err(Error::last_os_error());
            }
            let size = size_of::<ExtendedLimits>() as u32;
            if SetInformationJobObject(job, EXTENDED_LIMIT_INFORMATION, (&limits as *const ExtendedLimits).cast(), size)
                == 0
                || AssignProcessToJobObject(job, GetCurrentProcess()) == 0
            {
                return Err(Error::last_os_error());
            }
        }
        Ok(())
    }
}
