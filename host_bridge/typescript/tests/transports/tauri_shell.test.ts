import { spawn } from "node:child_process";
import { Command } from "@tauri-apps/plugin-shell";
import { describe, expect, it } from "vitest";
import { PROTOCOL_VERSION, RpcClient, type ShellCommand, tauriShell } from "../../src/index.js";
import { HOST, makeBed } from "../sidecar.js";
import { installShell } from "../tauri_core.js";

const initialize = (client: RpcClient) => client.call("initialize", { protocol_version: PROTOCOL_VERSION, host: HOST });

describe("tauriShell", () => {
  it.each(["utf-8", "raw"])("drives a sidecar through the plugin's events, encoding %s", async (encoding) => {
    const bed = await makeBed();
    installShell(() => bed.spawn());
    const client = new RpcClient();
    const command = (): ShellCommand => Command.sidecar("binaries/lineup-sidecar", [], { encoding });
    const connection = await client.connect(tauriShell(command));
    await initialize(client);
    const conversation_id = "漢😀\u2028\r\n";
    const changes = client.stream("workspace.changed");
    expect(await client.call("workspace.open", { conversation_id, agent_id: "a" })).toMatchObject({ conversation_id });
    expect((await changes.next()).value).toMatchObject({ conversation_id });
    const lost = client.call("ping").then(() => client.call("audit.list"));
    await connection.kill();
    await lost.catch(() => undefined);
    await expect(client.call("ping")).rejects.toMatchObject({ loss: { signal: 9 } });
  });

  it("takes a line that was cut at the CR before its end", async () => {
    const script = `
      process.stdin.on("data", (data) => {
        const answer = JSON.stringify({ jsonrpc: "2.0", id: JSON.parse(data).id, result: {} });
        process.stdout.write("\\n" + answer + "\\r");
      });`;
    installShell(() => spawn(process.execPath, ["-e", script]));
    const client = new RpcClient();
    const faults: string[] = [];
    client.onFault(({ message }) => faults.push(message));
    const connection = await client.connect(tauriShell(() => Command.create("node")));
    expect(await client.call("ping")).toEqual({});
    expect(await client.call("ping")).toEqual({});
    expect(faults).toEqual([]);
    await connection.kill();
  });

  it("writes one message after another, in order, however slow a write is", async () => {
    const written: string[] = [];
    const command: ShellCommand = {
      stdout: { on: () => undefined },
      stderr: { on: () => undefined },
      on: () => undefined,
      spawn: async () => ({
        write: async (data: string) => {
          await Promise.resolve();
          written.push(...data.trim().split("\n"));
        },
        kill: async () => undefined,
      }),
    };
    const client = new RpcClient();
    await client.connect(tauriShell(() => command));
    for (let n = 0; n < 20; n += 1) void client.call("audit.list", { after_seq: n }).catch(() => undefined);
    await expect.poll(() => written.length).toBe(20);
    expect(written.map((text) => JSON.parse(text).params.after_seq)).toEqual([...Array(20).keys()]);
  });

  it("says so where the capability does not allow it", async () => {
    installShell(() => {
      throw "shell.sidecar not allowed";
    });
    await expect(new RpcClient().connect(tauriShell(() => Command.sidecar("binaries/lineup-sidecar")))).rejects.toThrow(
      "the sidecar could not be started: shell.sidecar not allowed",
    );
  });

  it("gives what the sidecar said on stderr when it ended", async () => {
    const bed = await makeBed("--no-such-option");
    installShell(() => bed.spawn());
    const client = new RpcClient();
    await client.connect(tauriShell(() => Command.sidecar("binaries/lineup-sidecar")));
    await expect(client.call("ping")).rejects.toMatchObject({
      loss: { exitCode: 2, stderr: expect.stringContaining("--no-such-option") },
    });
  });
});
