//! Names that nobody can guess.

use std::fmt::Write;

/// Makes a name of 128 random bits.
pub fn make() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random bytes");
    bytes.iter().fold(String::new(), |mut name, byte| {
        write!(name, "{byte:02x}").expect("a string can be written to");
        name
    })
}
