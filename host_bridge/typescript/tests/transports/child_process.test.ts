import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { ConnectionLostError, childProcess, PROTOCOL_VERSION, RpcClient } from "../../src/index.js";
import { HOST, makeBed, startSession } from "../sidecar.js";

describe("childProcess", () => {
  it("drives a real sidecar: calls, batches, refusals and news", async () => {
    const { client, session } = await startSession();
    expect(session).toMatchObject({ protocol_version: "1.0", runtime: { name: "lineup-runtime" } });
    const changes = client.stream("workspace.changed");
    const snapshot = await client.call("workspace.open", { conversation_id: "c", agent_id: "a" });
    expect(snapshot.instances).toMatchObject([{ app_scope: "chat", run_by: "worker" }]);
    expect((await changes.next()).value).toMatchObject({ conversation_id: "c" });
    const [ping, list, refused] = await client.batch([
      ["ping"],
      ["miniapp.list"],
      ["workspace.open", { conversation_id: "c", agent_id: "another" }],
    ]);
    expect(ping).toEqual({ status: "fulfilled", value: {} });
    expect(list).toMatchObject({ status: "fulfilled" });
    expect(refused).toMatchObject({ status: "rejected", reason: { refusal: "envelope_invalid" } });
    await expect(client.call("workspace.open", { conversation_id: "" } as never)).rejects.toMatchObject({
      code: -32602,
      faults: expect.arrayContaining([expect.objectContaining({ path: expect.any(String) })]),
    });
  });

  it("brings text through code point for code point", async () => {
    const { client } = await startSession();
    const conversation_id = "a\u2028b\u2029c\u0085d\u000be\u000cf 漢😀é—\r\n";
    const snapshot = await client.call("workspace.open", { conversation_id, agent_id: "a" });
    expect(snapshot.conversation_id).toBe(conversation_id);
  });

  it("rejects within a second all that a killed sidecar owes, and then at once (B13)", async () => {
    const { client, bed } = await startSession();
    const [child] = bed.processes;
    child?.kill("SIGSTOP"); // nothing is answered any more
    const pending = [client.call("ping"), client.call("audit.list"), client.call("runtime.status")];
    const before = performance.now();
    child?.kill("SIGKILL");
    const outcomes = await Promise.allSettled(pending);
    expect(performance.now() - before).toBeLessThan(1_000);
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ reason: { code: "connection_lost", loss: { signal: "SIGKILL" } } });
    }
    await expect(client.call("ping")).rejects.toThrow("the sidecar ended with signal SIGKILL");
    await client.connect(childProcess(bed.spawn));
    await client.call("initialize", { protocol_version: PROTOCOL_VERSION, host: HOST });
    expect(await client.call("ping")).toEqual({});
  });

  it("ends the sidecar by closing its input; what was asked is still answered", async () => {
    const bed = await makeBed();
    const client = new RpcClient();
    const connection = await client.connect(childProcess(bed.spawn));
    const call = client.call("ping");
    await connection.close();
    expect(await call).toEqual({});
    const [child] = bed.processes;
    if (child?.exitCode === null) await once(child, "exit");
    expect(child?.exitCode).toBe(0);
  });

  it("says so where there is no such program", async () => {
    const client = new RpcClient();
    const opening = client.connect(childProcess(() => spawn("/nonexistent/lineup-sidecar")));
    await expect(opening).rejects.toThrow(ConnectionLostError);
    await expect(opening).rejects.toThrow("could not be started");
  });

  it("gives the exit code and what was said on stderr", async () => {
    const client = new RpcClient();
    await client.connect(childProcess((await makeBed("--no-such-option")).spawn));
    const error = await client.call("ping").catch((reason: unknown) => reason);
    expect(error).toMatchObject({ loss: { exitCode: 2, stderr: expect.stringContaining("--no-such-option") } });
  });

  it("tells of what a program writes that is not the protocol", async () => {
    const client = new RpcClient();
    const faults: string[] = [];
    client.onFault(({ message }) => faults.push(message));
    const script = 'process.stdout.write(Buffer.from([0xff, 10])); console.log("hello")';
    await client.connect(childProcess(() => spawn(process.execPath, ["-e", script])));
    await new Promise<void>((resolve) => client.onLost(() => resolve()));
    expect(faults).toEqual(["a line that is not UTF-8", "what arrived is not JSON"]);
  });
});
