//! Which program the sidecar is.

use std::{
    env::{consts::EXE_SUFFIX, current_exe, var_os},
    io::{Error, ErrorKind},
    path::{Path, PathBuf},
};

/// Names another sidecar than the installed one by its whole path, for development.
pub const VARIABLE: &str = "LINEUP_SIDECAR";

/// Finds the sidecar: the one that [`VARIABLE`] names, else the one beside this program.
pub fn locate() -> Result<PathBuf, String> {
    if let Some(named) = var_os(VARIABLE).filter(|named| !named.is_empty()) {
        return Ok(named.into());
    }
    let this = current_exe().map_err(|error| format!("this program does not find itself: {error}"))?;
    Ok(this.with_file_name(format!("lineup-sidecar{EXE_SUFFIX}")))
}

/// Says why the sidecar could not be started, and what to do about it.
pub fn explain(program: &Path, error: &Error) -> String {
    let program = program.display();
    match error.kind() {
        ErrorKind::NotFound => {
            format!("there is no {program}: install LineUp again, or let {VARIABLE} name the sidecar")
        }
        ErrorKind::PermissionDenied => {
            format!("{program} may not be executed: install LineUp again, or let its owner make it executable")
        }
        _ => format!("{program} cannot be executed ({error}): install the LineUp that was made for this machine"),
    }
}
