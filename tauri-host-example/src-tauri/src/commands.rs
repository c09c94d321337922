//! What the page may ask for: `host_bridge/typescript/README.md` names the first four.

use tauri::{AppHandle, Manager, State, ipc::Channel};

use crate::{outside, page::FromPage, run::Event, sidecar::Sidecar, surfaces::Surfaces};

/// Starts a sidecar, and ends the one that a page before this one had; the name of the run.
#[tauri::command(rename_all = "snake_case")]
pub async fn sidecar_start(
    _page: FromPage,
    app: AppHandle,
    sidecar: State<'_, Sidecar>,
    surfaces: State<'_, Surfaces>,
    events: Channel<Event>,
) -> Result<String, String> {
    surfaces.clear();
    sidecar.start(app.path().resource_dir().ok(), events).await
}

/// Writes the text as it is.
#[tauri::command(rename_all = "snake_case")]
pub async fn sidecar_send(
    _page: FromPage,
    sidecar: State<'_, Sidecar>,
    run: String,
    text: String,
) -> Result<(), String> {
    sidecar.find(&run).await?.send(&text).await
}

/// Closes the sidecar's input: what was sent is still answered.
#[tauri::command(rename_all = "snake_case")]
pub async fn sidecar_close(_page: FromPage, sidecar: State<'_, Sidecar>, run: String) -> Result<(), String> {
    sidecar.find(&run).await?.close().await;
    Ok(())
}

/// Ends it now, with all that it started.
#[tauri::command(rename_all = "snake_case")]
pub async fn sidecar_kill(_page: FromPage, sidecar: State<'_, Sidecar>, run: String) -> Result<(), String> {
    sidecar.find(&run).await?.kill();
    Ok(())
}

/// The address from which a frame loads the document, with exactly this policy.
#[tauri::command(rename_all = "snake_case")]
pub fn surface_serve(
    _page: FromPage,
    surfaces: State<'_, Surfaces>,
    surface_id: String,
    html: String,
    csp: String,
) -> Result<String, String> {
    surfaces.serve(surface_id, html, &csp)
}

/// Serves the surface's document no longer.
#[tauri::command(rename_all = "snake_case")]
pub fn surface_forget(_page: FromPage, surfaces: State<'_, Surfaces>, surface_id: String) {
    surfaces.forget(&surface_id);
}

/// Opens a web or mail address in the program that the user has for it.
#[tauri::command(rename_all = "snake_case")]
pub fn open_outside(_page: FromPage, address: String) -> Result<(), String> {
    outside::open(&address)
}
