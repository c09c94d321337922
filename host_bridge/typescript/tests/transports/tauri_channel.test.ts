import { once } from "node:events";
import { Channel, invoke } from "@tauri-apps/api/core";
import { describe, expect, it } from "vitest";
import { LIMITS, PROTOCOL_VERSION, RpcClient, tauriChannel } from "../../src/index.js";
import { type Bed, HOST, makeBed } from "../sidecar.js";
import { installCore } from "../tauri_core.js";

/** What the Rust side of a Tauri Host does, by these four commands. */
function ownSidecar(bed: Bed): void {
  const running = (run: unknown) => {
    const child = bed.processes.at(-1);
    if (run !== bed.processes.length || child?.exitCode !== null) throw "that run is over";
    return child;
  };
  const send = installCore({
    sidecar_start: ({ events }) => {
      const child = bed.spawn();
      child.stdout.on("data", (chunk) => send(events, { event: "stdout", text: chunk.toString() }));
      child.stderr.on("data", (chunk) => send(events, { event: "stderr", text: chunk.toString() }));
      void once(child, "close").then(([code, signal]) => send(events, { event: "terminated", code, signal }));
      return bed.processes.length;
    },
    sidecar_send: ({ run, text }) => void running(run).stdin.write(text as string),
    sidecar_close: ({ run }) => void running(run).stdin.end(),
    sidecar_kill: ({ run }) => void running(run).kill("SIGKILL"),
  });
}

const initialize = (client: RpcClient) => client.call("initialize", { protocol_version: PROTOCOL_VERSION, host: HOST });

describe("tauriChannel", () => {
  it("drives a sidecar that Rust owns, and ends it by closing its input", async () => {
    const bed = await makeBed();
    ownSidecar(bed);
    const client = new RpcClient();
    const connection = await client.connect(tauriChannel({ invoke, Channel }));
    await initialize(client);
    const changes = client.stream("workspace.changed");
    await client.call("workspace.open", { conversation_id: "c", agent_id: "a" });
    expect((await changes.next()).value).toMatchObject({ conversation_id: "c" });
    const lost = new Promise((resolve) => client.onLost(resolve));
    await connection.close();
    expect(await lost).toMatchObject({ exitCode: 0, signal: null });
  });

  it("sends nothing to another run than its own", async () => {
    const bed = await makeBed();
    ownSidecar(bed);
    const client = new RpcClient();
    const first = await client.connect(tauriChannel({ invoke, Channel }));
    const lost = new Promise((resolve) => client.onLost(resolve));
    await first.kill();
    expect(await lost).toMatchObject({ signal: "SIGKILL" });
    await client.connect(tauriChannel({ invoke, Channel }));
    await initialize(client);
    await expect(first.send('{"jsonrpc":"2.0","method":"exit","params":{}}')).rejects.toBe("that run is over");
    expect(await client.call("ping")).toEqual({});
  });

  it("refuses more than the queue holds while the sidecar does not read, and goes on once it does", async () => {
    const held: Array<() => void> = [];
    const written: string[] = [];
    installCore({
      sidecar_start: () => 1,
      sidecar_send: ({ text }) => {
        written.push(text as string);
        return new Promise<void>((resolve) => held.push(resolve));
      },
    });
    const client = new RpcClient();
    await client.connect(tauriChannel({ invoke, Channel }));
    const losses: unknown[] = [];
    client.onLost((loss) => losses.push(loss));
    const large = { text: "x".repeat(LIMITS.max_message_bytes - 100) } as never;
    const ask = () => client.call("ping", large);
    for (let n = 0; n < 4; n += 1) void ask().catch(() => undefined);
    await expect(ask()).rejects.toMatchObject({ name: "UnsendableError", code: "queue_full" });
    expect(await client.batch([["ping", large]])).toMatchObject([{ reason: { code: "queue_full" } }]);
    await expect.poll(() => held.length).toBe(1);
    while (written.length < 4) {
      held.at(-1)?.();
      await expect.poll(() => held.length).toBe(written.length);
    }
    expect(Math.max(...written.map(({ length }) => length))).toBeLessThanOrEqual(LIMITS.max_message_bytes);
    held.at(-1)?.();
    void ask().catch(() => undefined);
    await expect.poll(() => written.length).toBe(5);
    expect(losses).toEqual([]);
  });

  it("says so where a command is missing", async () => {
    installCore({});
    await expect(new RpcClient().connect(tauriChannel({ invoke, Channel }, { start: "mine" }))).rejects.toThrow(
      "the sidecar could not be started: mine not allowed",
    );
  });
});
