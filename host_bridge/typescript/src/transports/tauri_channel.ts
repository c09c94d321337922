import { ConnectionLostError } from "../errors.js";
import { LineJoiner } from "../lines.js";
import { deliver, endOf, type Receiver, StderrTail, type Transport, WriteQueue } from "../transport.js";

/** What Rust tells of the sidecar that it owns, in order. After `terminated` comes nothing. */
export type SidecarEvent =
  | { readonly event: "stdout"; readonly text: string }
  | { readonly event: "stderr"; readonly text: string }
  | { readonly event: "terminated"; readonly code: number | null; readonly signal: number | null };

/** The names of the four commands that Rust offers. */
export interface SidecarCommands {
  /** `{events: Channel<SidecarEvent>}`; starts a sidecar, or takes over the one that a page before this one had; the name of the run. */
  readonly start: string;
  /** `{run, text}`; writes the text as it is. Refuses a run that is over, so that no text reaches another process. */
  readonly send: string;
  /** `{run}`; closes the sidecar's input. */
  readonly close: string;
  /** `{run}`; ends it now. */
  readonly kill: string;
}

const COMMANDS: SidecarCommands = {
  start: "sidecar_start",
  send: "sidecar_send",
  close: "sidecar_close",
  kill: "sidecar_kill",
};

/** `invoke` and `Channel` are those of `@tauri-apps/api/core`. */
export interface TauriCore {
  invoke(command: string, args: Record<string, unknown>): Promise<unknown>;
  readonly Channel: new () => { onmessage: (event: SidecarEvent) => void };
}

/** Tauri, with the sidecar owned by Rust: `tauriChannel({ invoke, Channel })`. */
export function tauriChannel(core: TauriCore, commands: Partial<SidecarCommands> = {}): Transport {
  return { open: (receiver) => open(core, { ...COMMANDS, ...commands }, receiver) };
}

async function open({ invoke, Channel }: TauriCore, commands: SidecarCommands, receiver: Receiver) {
  const events = new Channel();
  events.onmessage = listen(receiver);
  const run = await invoke(commands.start, { events }).catch((error: unknown) => {
    throw new ConnectionLostError({ message: `the sidecar could not be started: ${error}`, final: true });
  });
  const queue = new WriteQueue(async (text) => void (await invoke(commands.send, { run, text })));
  return {
    send: (message: string) => queue.push(`${message}\n`),
    close: async () => void (await invoke(commands.close, { run })),
    kill: async () => void (await invoke(commands.kill, { run })),
  };
}

function listen(receiver: Receiver): (event: SidecarEvent) => void {
  const joiner = new LineJoiner();
  const tail = new StderrTail();
  return (event) => {
    if (event.event === "stderr") tail.add(event.text);
    else if (event.event === "stdout") deliver(joiner.feed(event.text), receiver);
    else receiver.lost(endOf(event.code, event.signal, tail.text));
  };
}
