//! `lineup-sidecar`: finds the Runtime's folder and becomes the Runtime.
//!
//! Tauri wants a sidecar to be one file, and the Runtime is a folder. So this file is the sidecar, and the folder is a
//! resource of the app. Arguments, environment and the three standard streams pass through as they are; where the
//! Runtime cannot be run the exit code is 127, as a shell's, and stderr says what to do.

mod places;
mod run;

use std::env;
use std::io;
use std::path::PathBuf;
use std::process::exit;

const NOT_RUN: i32 = 127;

fn main() {
    match find_program() {
        Ok(program) => {
            let error = run::run(&program, env::args_os().skip(1));
            fail(&format!("cannot run {}: {error}", program.display()))
        }
        Err(message) => fail(&message),
    }
}

/// Find the Runtime's program, or say where it was looked for.
fn find_program() -> Result<PathBuf, String> {
    let own = own_file().map_err(|error| format!("cannot tell where it lies itself: {error}"))?;
    let places = places::list(&own, env::var_os(places::VARIABLE));
    if let Some(program) = places.iter().find(|place| place.is_file()) {
        return Ok(program.clone());
    }
    let places: Vec<String> = places.iter().map(|place| place.display().to_string()).collect();
    Err(format!(
        "the Runtime is missing: put its folder `sidecar` among the app's resources, or name the folder around it in {}. \
         Not there: {}",
        places::VARIABLE,
        places.join(", ")
    ))
}

/// This file, with links to it followed, so that the places beside it are those of the app.
fn own_file() -> io::Result<PathBuf> {
    let file = env::current_exe()?;
    if cfg!(windows) {
        return Ok(file); // a resolved path has a form there that not every program takes
    }
    file.canonicalize()
}

fn fail(message: &str) -> ! {
    eprintln!("lineup-sidecar: {message}");
    exit(NOT_RUN)
}
