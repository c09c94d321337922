import { spawn } from "node:child_process";
import { describe, expect, it, onTestFinished } from "vitest";
import { childProcess, RpcClient, Supervisor, type SupervisorOptions, type SupervisorState } from "../src/index.js";
import { type Bed, HOST, makeBed } from "./sidecar.js";

const QUICK = { delaysMs: [1, 2, 3, 4, 5], withinMs: 180_000 };

function supervise(spawnOne: Bed["spawn"], options: Partial<SupervisorOptions> = {}) {
  const supervisor = new Supervisor(new RpcClient(), childProcess(spawnOne), {
    initialize: { host: HOST },
    restarts: QUICK,
    ...options,
  });
  const phases: SupervisorState["phase"][] = [];
  supervisor.subscribe(() => phases.push(supervisor.getSnapshot().phase));
  onTestFinished(() => supervisor.stop());
  return { supervisor, phases };
}

const script = (text: string) => () => spawn(process.execPath, ["-e", text]);

describe("Supervisor", () => {
  it("starts the sidecar and begins a session before anything else is heard", async () => {
    const { supervisor, phases } = supervise((await makeBed()).spawn);
    const heard: string[] = [];
    supervisor.client.onAny(({ method }) => heard.push(method));
    supervisor.onSession((session) => heard.push(session.protocol_version));
    const session = await supervisor.start();
    expect(supervisor.getSnapshot()).toEqual({ phase: "ready", restarts: 0, session });
    expect(heard[0]).toBe("1.0");
    expect(phases).toEqual(["starting", "ready"]);
    expect(await supervisor.start()).toBe(session);
  });

  it("starts a killed sidecar again, with a new session on the same store", async () => {
    const bed = await makeBed();
    const { supervisor, phases } = supervise(bed.spawn);
    const first = await supervisor.start();
    await supervisor.client.call("workspace.open", { conversation_id: "c", agent_id: "a" });
    bed.processes.at(-1)?.kill("SIGKILL");
    await expect
      .poll(() => supervisor.getSnapshot(), { timeout: 20_000 })
      .toMatchObject({ phase: "ready", restarts: 1 });
    const state = supervisor.getSnapshot();
    expect(state).toMatchObject({ session: { recovered: { conversations: 1 } } });
    expect(state).not.toMatchObject({ session: { session_id: first.session_id } });
    expect(phases).toEqual(["starting", "ready", "waiting", "starting", "ready"]);
  });

  it("gives up after five restarts, shows the end of the log, and begins anew by retry", async () => {
    const { supervisor, phases } = supervise(script('console.error("out of luck"); process.exit(7)'));
    await expect(supervisor.start()).rejects.toMatchObject({ code: "connection_lost", loss: { exitCode: 7 } });
    expect(supervisor.getSnapshot()).toMatchObject({
      phase: "failed",
      restarts: 5,
      loss: { message: "the sidecar ended with exit code 7", stderr: "out of luck" },
    });
    expect(phases.filter((phase) => phase === "starting")).toHaveLength(6);
    supervisor.retry();
    expect(supervisor.getSnapshot()).toEqual({ phase: "starting", restarts: 0 });
    await expect(supervisor.start()).rejects.toThrow("exit code 7");
  });

  it("does not repeat what is in vain: wrong options, no such program, params that are refused", async () => {
    const wrong = supervise((await makeBed("--no-such-option")).spawn);
    await expect(wrong.supervisor.start()).rejects.toThrow("exit code 2");
    expect(wrong.supervisor.getSnapshot()).toMatchObject({ phase: "failed", restarts: 0 });
    const missing = supervise(() => spawn("/nonexistent/lineup-sidecar"));
    await expect(missing.supervisor.start()).rejects.toThrow("could not be started");
    expect(missing.supervisor.getSnapshot()).toMatchObject({ phase: "failed", restarts: 0 });
    const refused = supervise((await makeBed()).spawn, { initialize: { host: { name: "", version: "none" } } });
    await expect(refused.supervisor.start()).rejects.toThrow("invalid params");
    expect(refused.supervisor.getSnapshot()).toMatchObject({ phase: "failed", restarts: 0 });
  });

  it("counts a sidecar that does not answer initialize as lost", async () => {
    const { supervisor } = supervise(script("process.stdin.resume()"), {
      startTimeoutMs: 100,
      restarts: { delaysMs: [1], withinMs: 60_000 },
    });
    await expect(supervisor.start()).rejects.toThrow("the sidecar did not answer initialize within 0.1 s");
    expect(supervisor.getSnapshot()).toMatchObject({ phase: "failed", restarts: 1 });
  });

  it("prepares each connection before initialize, and fails where that cannot be done", async () => {
    const bed = await makeBed();
    const order: string[] = [];
    const { supervisor } = supervise(bed.spawn, {
      prepare: async () => order.push(`ping ${JSON.stringify(await supervisor.client.call("ping"))}`),
    });
    supervisor.onSession(() => order.push("session"));
    await supervisor.start();
    expect(order).toEqual(["ping {}", "session"]);
    const hopeless = supervise(bed.spawn, { prepare: () => Promise.reject(new Error("another page drives")) });
    await expect(hopeless.supervisor.start()).rejects.toThrow("another page drives");
    expect(hopeless.supervisor.getSnapshot()).toMatchObject({ phase: "failed", restarts: 0 });
  });

  it("lets a preparation of a lost connection have no say in the next one", async () => {
    const bed = await makeBed();
    const preparations: Array<(error: Error) => void> = [];
    const prepare = () =>
      preparations.length === 1
        ? Promise.resolve()
        : new Promise((_, reject) => {
            preparations.push(reject);
          });
    const { supervisor } = supervise(bed.spawn, { prepare });
    const started = supervisor.start();
    await expect.poll(() => preparations).toHaveLength(1);
    bed.processes.at(-1)?.kill("SIGKILL");
    const session = await started;
    preparations[0]?.(new Error("too late"));
    expect(await supervisor.client.call("ping")).toEqual({});
    expect(supervisor.getSnapshot()).toEqual({ phase: "ready", restarts: 1, session });
  });

  it("stops the sidecar in good order and leaves it stopped", async () => {
    const bed = await makeBed();
    const { supervisor, phases } = supervise(bed.spawn);
    await supervisor.start();
    await supervisor.stop();
    expect(bed.processes.map((child) => child.exitCode)).toEqual([0]);
    expect(phases).toEqual(["starting", "ready", "stopping", "stopped"]);
    await expect(supervisor.client.call("ping")).rejects.toMatchObject({ code: "connection_lost" });
    await supervisor.start();
    expect(bed.processes).toHaveLength(2);
  });

  it("kills a sidecar that hangs when it is stopped", async () => {
    const bed = await makeBed();
    const { supervisor } = supervise(bed.spawn, { stopTimeoutMs: 100 });
    await supervisor.start();
    bed.processes[0]?.kill("SIGSTOP");
    await supervisor.stop();
    expect(supervisor.getSnapshot()).toEqual({ phase: "stopped" });
    await expect.poll(() => bed.processes[0]?.signalCode).toBe("SIGKILL");
  });

  it("does not start again what is stopped while it waits", async () => {
    const { supervisor } = supervise(script("process.exit(7)"), {
      restarts: { delaysMs: [1_000_000], withinMs: 60_000 },
    });
    const started = supervisor.start().catch((error: unknown) => error);
    await expect.poll(() => supervisor.getSnapshot()).toMatchObject({ phase: "waiting", delayMs: 1_000_000 });
    await supervisor.stop();
    expect(await started).toMatchObject({ code: "connection_lost" });
    expect(supervisor.getSnapshot()).toEqual({ phase: "stopped" });
  });
});
