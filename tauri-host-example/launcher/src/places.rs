//! Where the Runtime's folder may lie, seen from the file that starts it.

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Names the folder that holds the folder `sidecar`; it is looked into first.
pub const VARIABLE: &str = "LINEUP_RESOURCE_DIR";

/// The app's `productName`, which names its folder of resources on Linux.
const PRODUCT: &str = match option_env!("LINEUP_PRODUCT_NAME") {
    Some(name) => name,
    None => "LineUp",
};

/// List where the Runtime's program may be, in the order in which to look.
pub fn list(own: &Path, named: Option<OsString>) -> Vec<PathBuf> {
    let here = own.parent().unwrap_or(Path::new(""));
    let up = here.parent().unwrap_or(here);
    let mut folders: Vec<PathBuf> = named.into_iter().map(PathBuf::from).collect();
    folders.push(here.into()); // Windows, and any system under `tauri dev`
    folders.push(up.join("Resources")); // macOS
    folders.push(up.join("lib").join(PRODUCT)); // .deb, .rpm, AppImage
    let program = format!("sidecar{EXE_SUFFIX}");
    folders.iter().map(|folder| folder.join("sidecar").join(&program)).collect()
}
