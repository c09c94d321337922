//! One life of the sidecar: its pipes, and its end.

use std::{path::PathBuf, process::ExitStatus, process::Stdio, sync::Arc, time::Duration};

use serde::Serialize;
use tauri::{async_runtime::spawn, ipc::Channel};
use tokio::{
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
    process::{Child, ChildStdin, Command},
    sync::{Mutex, Notify, watch},
    time::timeout,
};

use crate::{ids, program, queue::Queue, text::Decoder};

const CHUNK: usize = 64 * 1024;

/// What the page is told, in order. After `Terminated` comes nothing.
#[derive(Clone, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum Event {
    Stdout { text: String },
    Stderr { text: String },
    Terminated { code: Option<i32>, signal: Option<i32> },
}

/// A sidecar that was started. Its process group is its own.
pub struct Run {
    pub name: String,
    input: Mutex<Option<ChildStdin>>,
    queue: Queue,
    asked_to_end: Notify,
    over: watch::Receiver<bool>,
}

impl Run {
    /// Starts it. What it writes goes to `events` until it has ended.
    pub fn start(resources: Option<PathBuf>, events: Channel<Event>) -> Result<Arc<Self>, String> {
        let program = program::locate()?;
        let mut command = Command::new(&program);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).kill_on_drop(true);
        if let Some(folder) = resources {
            command.env("LINEUP_RESOURCE_DIR", folder);
        }
        #[cfg(unix)]
        command.process_group(0);
        #[cfg(windows)]
        command.creation_flags(NO_CONSOLE);
        let mut child = command.spawn().map_err(|error| program::explain(&program, &error))?;
        let (tell_over, over) = watch::channel(false);
        let input = Mutex::new(child.stdin.take());
        let run =
            Arc::new(Self { name: ids::make(), input, queue: Queue::default(), asked_to_end: Notify::new(), over });
        let followed = Arc::clone(&run);
        spawn(async move {
            followed.follow(child, &events).await;
            tell_over.send_replace(true);
        });
        Ok(run)
    }

    /// Writes the text as it is; returns when it is written. Refuses more than the queue holds.
    pub async fn send(&self, text: &str) -> Result<(), String> {
        let _waits = self.queue.enter(text.len())?;
        let mut input = self.input.lock().await;
        let pipe = input.as_mut().ok_or("the sidecar's input was closed")?;
        pipe.write_all(text.as_bytes()).await.map_err(|error| format!("the sidecar does not read: {error}"))
    }

    /// Ends its input: it answers what it was sent, and ends by itself.
    pub async fn close(&self) {
        self.input.lock().await.take();
    }

    /// Ends it now, with all that it started.
    pub fn kill(&self) {
        self.asked_to_end.notify_one();
    }

    /// Ends it politely within `grace`, else now; returns when it has ended.
    pub async fn end(&self, grace: Duration) {
        let politely = async {
            self.close().await;
            self.ended().await;
        };
        if timeout(grace, politely).await.is_err() {
            self.kill();
            self.ended().await;
        }
    }

    pub fn is_over(&self) -> bool {
        *self.over.borrow()
    }

    async fn ended(&self) {
        let mut over = self.over.clone();
        // An error says that it is not followed any more: it is over.
        let _ = over.wait_for(|over| *over).await;
    }

    async fn follow(&self, mut child: Child, events: &Channel<Event>) {
        let stdout = spawn(pump(child.stdout.take(), events.clone(), |text| Event::Stdout { text }));
        let stderr = spawn(pump(child.stderr.take(), events.clone(), |text| Event::Stderr { text }));
        let group = child.id();
        let status = tokio::select! {
            status = child.wait() => status,
            () = self.asked_to_end.notified() => {
                end_group(group, &mut child);
                child.wait().await
            }
        };
        end_group(group, &mut child); // what it left behind would hold the pipes
        let _ = (stdout.await, stderr.await); // a pump has no way to fail
        self.close().await;
        let _ = events.send(terminated(status.ok())); // a page that is gone needs no news
    }
}

/// Hands on what comes out of a pipe, until its end.
async fn pump(pipe: Option<impl AsyncRead + Unpin>, events: Channel<Event>, event: fn(String) -> Event) {
    let Some(mut pipe) = pipe else { return };
    let mut decoder = Decoder::default();
    let mut chunk = vec![0; CHUNK];
    let tell = |text: String| {
        if !text.is_empty() {
            let _ = events.send(event(text)); // a page that is gone needs no news
        }
    };
    while let Ok(size @ 1..) = pipe.read(&mut chunk).await {
        tell(decoder.feed(&chunk[..size]));
    }
    tell(decoder.end());
}

#[cfg(unix)]
fn terminated(status: Option<ExitStatus>) -> Event {
    use std::os::unix::process::ExitStatusExt;
    Event::Terminated { code: status.and_then(|it| it.code()), signal: status.and_then(|it| it.signal()) }
}

#[cfg(not(unix))]
fn terminated(status: Option<ExitStatus>) -> Event {
    Event::Terminated { code: status.and_then(|it| it.code()), signal: None }
}

#[cfg(unix)]
fn end_group(group: Option<u32>, _: &mut Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let group = group.and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
    if let Some(group) = group {
        let _ = kill_process_group(group, Signal::KILL); // it fails where nobody is left
    }
}

#[cfg(not(unix))]
fn end_group(_: Option<u32>, child: &mut Child) {
    let _ = child.start_kill(); // its workers end with their input
}

#[cfg(windows)]
const NO_CONSOLE: u32 = 0x0800_0000;
