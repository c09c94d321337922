//! A web process that died. WebKit leaves an empty window behind: the page is loaded again, and where that does not
//! help, the window says so.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

/// So many times within this long the page is loaded again of itself: as often as it starts a sidecar again.
const TRIES: usize = 5;
const WITHIN: Duration = Duration::from_secs(180);

/// Watches over the window's web process for as long as the window is there.
#[cfg(target_os = "linux")]
pub fn watch(window: &tauri::WebviewWindow) -> tauri::Result<()> {
    use std::cell::RefCell;

    use webkit2gtk::WebViewExt;

    let page = crate::page::origin(crate::page::SCHEME);
    window.with_webview(move |webview| {
        let tries = RefCell::new(Tries::default());
        webview.inner().connect_web_process_terminated(move |view, why| {
            eprintln!("lineup-app: the web process ended: {why:?}");
            if tries.borrow_mut().spend(Instant::now()) {
                view.reload();
            } else {
                view.load_html(GIVEN_UP, Some(&format!("{page}/given-up")));
            }
        });
    })
}

/// The web views of other systems have their own ways: see README.
#[cfg(not(target_os = "linux"))]
pub fn watch(_: &tauri::WebviewWindow) -> tauri::Result<()> {
    Ok(())
}

/// Without script: nothing of it can go wrong. Its links lead to the page.
#[cfg(target_os = "linux")]
const GIVEN_UP: &str = include_str!("given_up.html");

/// When the page was loaded again.
#[derive(Default)]
struct Tries(VecDeque<Instant>);

impl Tries {
    /// Spends one; whether there was one.
    fn spend(&mut self, now: Instant) -> bool {
        while self.0.front().is_some_and(|then| now.duration_since(*then) >= WITHIN) {
            self.0.pop_front();
        }
        let spent = self.0.len() < TRIES;
        if spent {
            self.0.push_back(now);
        }
        spent
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use std::time::{Duration, Instant};

    use super::{GIVEN_UP, TRIES, Tries, WITHIN};

    #[test]
    fn the_last_page_leads_back_to_the_first() {
        let links: Vec<&str> = GIVEN_UP.split("href=").skip(1).collect();
        assert_eq!(links.len(), 2);
        assert!(links.iter().all(|link| link.starts_with("\"index.html\">")));
    }

    #[test]
    fn tries_come_back_with_time() {
        let (mut tries, begin) = (Tries::default(), Instant::now());
        for number in 0..TRIES {
            assert!(tries.spend(begin + Duration::from_secs(number as u64)));
        }
        assert!(!tries.spend(begin + WITHIN - Duration::from_millis(1)));
        assert!(tries.spend(begin + WITHIN));
        assert!(!tries.spend(begin + WITHIN));
    }
}
