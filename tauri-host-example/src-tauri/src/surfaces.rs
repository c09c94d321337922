//! Documents of sandboxed surfaces, each at an address of its own that nobody can guess.

use std::{
    collections::HashMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use tauri::http::{
    HeaderValue, Method, Request, Response, StatusCode,
    header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS},
};

use crate::{ids, page};

/// Custom schemes are local to Tauri, though nothing that comes from here is trusted: see [`page::FromPage`].
pub const SCHEME: &str = "surface";

const SANDBOX: &str = "sandbox allow-scripts";
const NOTHING: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

/// By surface: another document for it replaces the one before.
#[derive(Default)]
pub struct Surfaces(Mutex<HashMap<String, Document>>);

struct Document {
    id: String,
    html: String,
    csp: HeaderValue,
}

impl Surfaces {
    /// Serves a document under exactly this policy; its address. Refuses a policy that does not sandbox it.
    pub fn serve(&self, surface_id: String, html: String, csp: &str) -> Result<String, String> {
        if !csp.split(';').any(|directive| directive.trim() == SANDBOX) {
            return Err(format!("a surface is served with a policy that says: {SANDBOX}"));
        }
        let csp = HeaderValue::from_str(csp).map_err(|_| "the policy is no text for a header")?;
        let id = ids::make();
        let address = format!("{}/{id}", page::origin(SCHEME));
        self.documents().insert(surface_id, Document { id, html, csp });
        Ok(address)
    }

    /// Serves the surface's document no longer.
    pub fn forget(&self, surface_id: &str) {
        self.documents().remove(surface_id);
    }

    /// Serves nothing that was served until now.
    pub fn clear(&self) {
        self.documents().clear();
    }

    /// Answers a request for an address of the scheme.
    pub fn answer(&self, request: &Request<Vec<u8>>) -> Response<Vec<u8>> {
        let documents = self.documents();
        let id = request.uri().path().trim_start_matches('/');
        match documents.values().find(|document| document.id == id) {
            Some(document) if request.method() == Method::GET => {
                respond(StatusCode::OK, document.csp.clone(), document.html.clone().into_bytes())
            }
            _ => respond(StatusCode::NOT_FOUND, NOTHING, Vec::new()),
        }
    }

    fn documents(&self) -> MutexGuard<'_, HashMap<String, Document>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn respond(status: StatusCode, csp: HeaderValue, body: Vec<u8>) -> Response<Vec<u8>> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_SECURITY_POLICY, csp);
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use tauri::http::{Request, Response, StatusCode, header::CONTENT_SECURITY_POLICY};

    use super::Surfaces;

    const CSP: &str = "default-src 'none'; script-src 'sha256-x'; sandbox allow-scripts";

    fn get(surfaces: &Surfaces, address: &str) -> Response<Vec<u8>> {
        surfaces.answer(&Request::get(address).body(Vec::new()).unwrap())
    }

    #[test]
    fn a_document_comes_with_exactly_its_policy() {
        let surfaces = Surfaces::default();
        let address = surfaces.serve("s1".into(), "<p>白板".into(), CSP).unwrap();
        let response = get(&surfaces, &address);
        assert_eq!(response.status(), StatusCode::OK);
        assert_eq!(response.headers()[CONTENT_SECURITY_POLICY], CSP);
        assert_eq!(response.body(), "<p>白板".as_bytes());
    }

    #[test]
    fn an_address_is_good_until_another_document_replaces_it() {
        let surfaces = Surfaces::default();
        let before = surfaces.serve("s1".into(), "1".into(), CSP).unwrap();
        let other = surfaces.serve("s2".into(), "other".into(), CSP).unwrap();
        let after = surfaces.serve("s1".into(), "2".into(), CSP).unwrap();
        assert_eq!(get(&surfaces, &before).status(), StatusCode::NOT_FOUND);
        assert_eq!(get(&surfaces, &after).body(), b"2");
        surfaces.forget("s1");
        assert_eq!(get(&surfaces, &after).status(), StatusCode::NOT_FOUND);
        assert_eq!(get(&surfaces, &other).body(), b"other");
        surfaces.clear();
        assert_eq!(get(&surfaces, &other).status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn a_policy_without_the_sandbox_is_refused() {
        let surfaces = Surfaces::default();
        for csp in
            ["", "default-src 'none'", "sandbox allow-scripts allow-same-origin", "sandbox allow-scripts\r\nX: y"]
        {
            surfaces.serve("s1".into(), String::new(), csp).unwrap_err();
        }
    }

    #[test]
    fn only_what_is_served_is_found() {
        let surfaces = Surfaces::default();
        surfaces.serve("s1".into(), String::new(), CSP).unwrap();
        for path in ["", "s1", "../s1"] {
            assert_eq!(get(&surfaces, &format!("surface://localhost/{path}")).status(), StatusCode::NOT_FOUND);
        }
    }
}
