//! The window of the LineUp Host. The page does the work; this owns the sidecar's pipes, serves surfaces and keeps fences.
#![cfg_attr(not(debug_assertions), windows_subsystem = "windows")]

mod commands;
mod crash;
mod ids;
mod outside;
mod page;
mod program;
mod queue;
mod run;
mod sidecar;
mod surfaces;
mod text;

use tauri::{Manager, RunEvent, async_runtime::block_on};

use crate::{sidecar::Sidecar, surfaces::Surfaces};

fn main() {
    let app = tauri::Builder::default()
        .manage(Sidecar::default())
        .manage(Surfaces::default())
        .register_uri_scheme_protocol(surfaces::SCHEME, |context, request| {
            context.app_handle().state::<Surfaces>().answer(&request)
        })
        .invoke_handler(tauri::generate_handler![
            commands::sidecar_start,
            commands::sidecar_send,
            commands::sidecar_close,
            commands::sidecar_kill,
            commands::surface_serve,
            commands::surface_forget,
            commands::open_outside,
        ])
        .setup(|app| Ok(page::open(app)?))
        .build(tauri::generate_context!())
        .expect("the window can be made");
    app.run(|app, event| {
        if let RunEvent::Exit = event {
            block_on(app.state::<Sidecar>().end());
        }
    });
}
