//! How much may wait for a sidecar that does not read.

use std::sync::atomic::{AtomicUsize, Ordering};

/// `max_queued_bytes` of the contract: four of the longest messages.
const BOUND: usize = 32 * 1024 * 1024;

/// Counts what was handed over and is not written yet.
#[derive(Default)]
pub struct Queue {
    waiting: AtomicUsize,
}

/// A place in the queue, given up when it is dropped.
pub struct Place<'a> {
    queue: &'a Queue,
    bytes: usize,
}

impl Queue {
    /// Takes a place for so many bytes. Refuses with the code `queue_full` what would be more than the bound.
    pub fn enter(&self, bytes: usize) -> Result<Place<'_>, String> {
        let fits = |waiting: usize| waiting.checked_add(bytes).filter(|after| *after <= BOUND);
        match self.waiting.fetch_update(Ordering::Relaxed, Ordering::Relaxed, fits) {
            Ok(_) => Ok(Place { queue: self, bytes }),
            Err(waiting) => Err(format!(
                "queue_full: the sidecar has not read {waiting} bytes yet, and {bytes} more are over {BOUND}: \
                 wait until what was sent is written"
            )),
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.queue.waiting.fetch_sub(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::{BOUND, Queue};

    #[test]
    fn what_fits_waits_and_what_does_not_is_refused_until_there_is_room() {
        let queue = Queue::default();
        let first = queue.enter(BOUND - 1).unwrap();
        let last = queue.enter(1).unwrap();
        assert!(queue.enter(1).is_err_and(|refused| refused.starts_with("queue_full: ")));
        drop(first);
        assert!(queue.enter(BOUND).is_err());
        drop(last);
        drop(queue.enter(BOUND).unwrap());
        assert!(queue.enter(usize::MAX).is_err());
    }
}
