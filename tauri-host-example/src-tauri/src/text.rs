//! Bytes of a pipe as text, however they were cut.

use std::mem::take;

/// Decodes UTF-8 that comes in pieces; what is no UTF-8 becomes U+FFFD.
#[derive(Default)]
pub struct Decoder {
    begun: Vec<u8>,
}

impl Decoder {
    /// Takes the next piece; the text that is whole by now.
    pub fn feed(&mut self, piece: &[u8]) -> String {
        let mut bytes = take(&mut self.begun);
        bytes.extend_from_slice(piece);
        self.begun = bytes.split_off(bytes.len() - count_begun(&bytes));
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// Takes the end of the input; what was begun and not finished.
    pub fn end(&mut self) -> String {
        String::from_utf8_lossy(&take(&mut self.begun)).into_owned()
    }
}

/// Counts the bytes at the end that begin a character and do not finish it.
fn count_begun(bytes: &[u8]) -> usize {
    let last = bytes.utf8_chunks().last().map_or(&[][..], |chunk| chunk.invalid());
    match std::str::from_utf8(last) {
        Err(error) if error.error_len().is_none() => last.len(),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::Decoder;

    fn decode(pieces: &[&[u8]]) -> String {
        let mut decoder = Decoder::default();
        let mut text: String = pieces.iter().map(|piece| decoder.feed(piece)).collect();
        text.push_str(&decoder.end());
        text
    }

    #[test]
    fn a_character_that_was_cut_comes_out_whole() {
        let bytes = "{\"白板\":\"🎨\"}\n".as_bytes();
        for cut in 0..=bytes.len() {
            assert_eq!(decode(&[&bytes[..cut], &bytes[cut..]]).as_bytes(), bytes);
        }
        let single: Vec<&[u8]> = bytes.chunks(1).collect();
        assert_eq!(decode(&single).as_bytes(), bytes);
    }

    #[test]
    fn what_is_no_text_is_marked_and_the_rest_stays() {
        assert_eq!(decode(&[b"a\xff", b"b"]), "a\u{fffd}b");
        assert_eq!(decode(&[b"a\xe7\x99"]), "a\u{fffd}");
    }
}
