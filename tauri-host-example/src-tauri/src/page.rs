//! The page, its window, and the fences around both.

use std::env::set_current_dir;

use tauri::{
    App, Manager, Runtime, Url, WebviewWindowBuilder,
    http::{HeaderValue, header::ORIGIN},
    ipc::{CommandArg, CommandItem, InvokeError},
    webview::{DownloadEvent, NewWindowResponse},
};

use crate::{crash, surfaces};

const LABEL: &str = "main";
pub const SCHEME: &str = "tauri";

/// The origin of a custom scheme, as the web view of this system writes it.
pub fn origin(scheme: &str) -> String {
    if cfg!(windows) { format!("http://{scheme}.localhost") } else { format!("{scheme}://localhost") }
}

/// Opens the window. Nothing in it leads anywhere: not the page, not a frame, not a new window.
pub fn open(app: &App) -> tauri::Result<()> {
    let config = app.config().app.windows.iter().find(|window| window.label == LABEL);
    let config = config.ok_or(tauri::Error::WindowNotFound)?;
    // Where the system knows no folder for downloads, the web view saves to the working folder.
    set_current_dir(app.path().home_dir()?)?;
    let window = WebviewWindowBuilder::from_config(app, config)?
        .on_navigation(|url| stays(url) || is_saved(url))
        .on_new_window(|_, _| NewWindowResponse::Deny)
        .on_download(|_, event| match event {
            DownloadEvent::Requested { url, .. } => is_saved(&url),
            _ => true,
        })
        .build()?;
    crash::watch(&window)
}

/// Whether what the window or one of its frames goes to is ours.
fn stays(url: &Url) -> bool {
    [SCHEME, surfaces::SCHEME].iter().any(|scheme| is_at(url.as_str(), &origin(scheme)))
}

/// Whether it is something that the page has made and the user saves: to the web view, that begins as a navigation.
fn is_saved(url: &Url) -> bool {
    url.as_str().strip_prefix("blob:").is_some_and(|made| is_at(made, &origin(SCHEME)))
}

fn is_at(address: &str, origin: &str) -> bool {
    address.strip_prefix(origin).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

/// An argument that only a call by the page itself provides.
///
/// WebKit lets every frame, sandboxed or not, post to Tauri's native handler, and Tauri takes a surface's scheme for
/// local. Tauri's key, which the page's own frame alone is given, stands first; here stand three more fences: the web
/// view is the page's, shows the page, and the browser itself says that the page's origin asks. The native handler
/// brings no such word: what comes that way is refused.
pub struct FromPage;

impl<'de, R: Runtime> CommandArg<'de, R> for FromPage {
    fn from_command(command: CommandItem<'de, R>) -> Result<Self, InvokeError> {
        let webview = command.message.webview_ref();
        let here = origin(SCHEME);
        let asked_by = command.message.headers().get(ORIGIN).map(HeaderValue::as_bytes);
        let shows_page = webview.url().is_ok_and(|url| is_at(url.as_str(), &here));
        if webview.label() == LABEL && shows_page && asked_by == Some(here.as_bytes()) {
            Ok(Self)
        } else {
            Err("only the page itself may ask for this".into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{is_saved, origin, stays};

    #[test]
    fn the_window_goes_to_the_page_and_to_surfaces_alone() {
        for scheme in ["tauri", "surface"] {
            assert!(stays(&format!("{}/index.html", origin(scheme)).parse().unwrap()));
        }
        let here = origin("tauri");
        for address in
            ["http://127.0.0.1/", &format!("https://x.org/{here}/"), &format!("{here}.x/"), "data:,x", "file:///"]
        {
            assert!(!stays(&address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn only_what_the_page_has_made_is_saved() {
        assert!(is_saved(&format!("blob:{}/id", origin("tauri")).parse().unwrap()));
        for address in ["blob:null/id", "blob:https://x.org/id", "https://x.org/file", "data:,x"] {
            assert!(!is_saved(&address.parse().unwrap()), "{address}");
        }
    }
}
