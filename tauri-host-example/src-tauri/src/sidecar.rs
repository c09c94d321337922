//! The one sidecar that there is at a time: it alone may hold the store.

use std::{path::PathBuf, sync::Arc, time::Duration};

use tauri::ipc::Channel;
use tokio::sync::Mutex;

use crate::run::{Event, Run};

/// How long it may take to answer and write what it has accepted.
const GRACE: Duration = Duration::from_secs(3);

#[derive(Default)]
pub struct Sidecar {
    run: Mutex<Option<Arc<Run>>>,
}

impl Sidecar {
    /// Starts one, when the one before it has ended; the name of the run.
    pub async fn start(&self, resources: Option<PathBuf>, events: Channel<Event>) -> Result<String, String> {
        let mut held = self.run.lock().await;
        if let Some(before) = held.take() {
            before.end(GRACE).await;
        }
        let run = Run::start(resources, events)?;
        let name = run.name.clone();
        *held = Some(run);
        Ok(name)
    }

    /// Finds the run of this name, so that no text reaches another process than the one that it was meant for.
    pub async fn find(&self, name: &str) -> Result<Arc<Run>, String> {
        let held = self.run.lock().await;
        held.as_ref()
            .filter(|run| run.name == name && !run.is_over())
            .map(Arc::clone)
            .ok_or_else(|| "this run of the sidecar is over".to_owned())
    }

    /// Ends it for good.
    pub async fn end(&self) {
        if let Some(run) = self.run.lock().await.take() {
            run.end(GRACE).await;
        }
    }
}
