//! Links leave the window for the program that the user has for them.

use tauri::Url;

const SCHEMES: [&str; 3] = ["http", "https", "mailto"];
const LONGEST: usize = 2_048;

/// Opens a web or mail address. What else the system could open (files, programs' own schemes) is refused.
pub fn open(address: &str) -> Result<(), String> {
    let address = check(address)?;
    open::that_detached(address.as_str()).map_err(|error| format!("the link could not be opened: {error}"))
}

fn check(address: &str) -> Result<Url, String> {
    let url = Url::parse(address).map_err(|_| "the link is no address")?;
    if !SCHEMES.contains(&url.scheme()) {
        return Err(format!("a link of the kind {}: is not opened", url.scheme()));
    }
    if url.as_str().len() > LONGEST {
        return Err(format!("the link is longer than {LONGEST} characters"));
    }
    Ok(url)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST, check};

    #[test]
    fn web_and_mail_addresses_are_opened() {
        for address in ["http://example.org/a?b#c", "https://example.org/", "mailto:someone@example.org"] {
            assert_eq!(check(address).unwrap().as_str(), address);
        }
    }

    #[test]
    fn anything_else_is_refused() {
        for address in ["file:///etc/passwd", "javascript:alert(1)", "data:text/html,x", "ssh://x", "../x", "-x", ""] {
            check(address).unwrap_err();
        }
        check(&format!("https://example.org/{}", "x".repeat(LONGEST))).unwrap_err();
    }
}
