fn main() {
    let commands = tauri_build::AppManifest::new().commands(&[
        "sidecar_start",
        "sidecar_send",
        "sidecar_close",
        "sidecar_kill",
        "surface_serve",
        "surface_forget",
        "open_outside",
    ]);
    let attributes = tauri_build::Attributes::new().app_manifest(commands);
    tauri_build::try_build(attributes).expect("tauri.conf.json and capabilities/ can be used");
}
