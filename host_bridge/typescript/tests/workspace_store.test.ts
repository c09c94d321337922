import { describe, expect, it, onTestFinished } from "vitest";
import {
  childProcess,
  findSurface,
  isRefusal,
  RpcClient,
  Supervisor,
  type SurfaceView,
  WorkspaceStore,
} from "../src/index.js";
import { Agent, PEER } from "./agent.js";
import { Lossy } from "./lossy.js";
import { HOST, makeBed } from "./sidecar.js";

async function openStore() {
  const bed = await makeBed();
  const client = new RpcClient();
  const lossy = new Lossy(childProcess(bed.spawn));
  const supervisor = new Supervisor(client, lossy, { initialize: { host: HOST } });
  onTestFinished(() => supervisor.stop());
  const agent = new Agent(client);
  const store = new WorkspaceStore(client, PEER);
  const errors: unknown[] = [];
  store.onError((error) => errors.push(error));
  store.follow(supervisor);
  await supervisor.start();
  const state = () => store.getSnapshot();
  await expect.poll(() => state().surfaces).toMatchObject([{ key: "timeline", status: "open", attached: false }]);
  return { bed, client, lossy, supervisor, agent, store, state, errors };
}

type Opened = Awaited<ReturnType<typeof openStore>>;

/** Open a task and attach its surface; the surface as it is shown now. */
async function openTask({ agent, store, state }: Opened): Promise<() => SurfaceView> {
  await agent.invoke("task-dashboard.open", { task_id: "t", title: "Build" });
  const find = () => {
    const app = state().instances.find(({ app_scope }) => app_scope === "task-dashboard");
    return state().surfaces.find(({ instance_id }) => instance_id === app?.instance_id) as SurfaceView;
  };
  await expect.poll(find).toBeDefined();
  await store.surfaces.attach(find().surface_id);
  return find;
}

const update = (agent: Agent, progress: number) => agent.invoke("task-dashboard.update", { task_id: "t", progress });

describe("WorkspaceStore", () => {
  it("mounts and attaches once what is mounted and attached as soon as the workspace is known", async () => {
    const { client, lossy, state, supervisor } = await openStore();
    const tokens: string[] = [];
    let mounts = 0;
    lossy.passes = ({ result }) => {
      if (result?.surface_token) tokens.push(result.surface_token);
      if (result && "context_token" in result) mounts += 1;
      return true;
    };
    const store = new WorkspaceStore(client, PEER);
    const { surface_id, instance_id } = state().surfaces[0] as SurfaceView;
    let begun = false;
    store.subscribe(() => {
      if (begun || store.getSnapshot().phase !== "live") return;
      begun = true;
      void store.mount(instance_id);
      void store.surfaces.attach(surface_id);
    });
    store.follow(supervisor);
    await expect.poll(() => findSurface(store.getSnapshot(), surface_id)?.attached).toBe(true);
    await client.call("ping");
    expect([tokens.length, mounts]).toEqual([1, 1]);
    await store.surfaces.call(surface_id, "sdk.surfaces.get", {});
  });

  it("follows instances, focus and surfaces", async () => {
    const opened = await openStore();
    const { state, store, client } = opened;
    expect(state()).toMatchObject({ phase: "live", ...PEER });
    const shown = await openTask(opened);
    const { foreground, focus_stack, instances } = state();
    expect(focus_stack).toHaveLength(2);
    expect(instances.find(({ instance_id }) => instance_id === foreground)?.app_scope).toBe("task-dashboard");
    await expect.poll(() => state().instances.map((one) => one.state)).toEqual(["background", "foreground"]);
    await store.mount(shown().instance_id);
    await expect.poll(() => state().instances.map((one) => one.mounted)).toEqual([false, true]);
    await store.unmount(shown().instance_id);
    expect(shown().attached).toBe(false);
    await client.call("miniapp.close", { instance_id: shown().instance_id });
    await expect.poll(() => state().surfaces.map(({ key }) => key)).toEqual(["timeline"]);
    expect(state().focus_stack).toHaveLength(1);
  });

  it("follows the state of an attached surface, and keeps its token to itself", async () => {
    const opened = await openStore();
    const { agent, state, store, lossy } = opened;
    const tokens: string[] = [];
    lossy.passes = ({ result }) => {
      if (result?.surface_token) tokens.push(result.surface_token);
      return true;
    };
    const shown = await openTask(opened);
    expect(shown()).toMatchObject({ attached: true, document: { sandbox: ["allow-scripts"] } });
    const { revision } = shown();
    await update(agent, 40);
    await expect.poll(() => JSON.stringify(shown().state)).toContain('"progress":40');
    expect(shown().revision).toBeGreaterThan(revision);
    const read = await store.surfaces.call(shown().surface_id, "sdk.surfaces.get", {});
    expect(shown()).toMatchObject({ revision: read.revision, state: read.state });
    expect(tokens).toHaveLength(1);
    expect(JSON.stringify(state()).includes(tokens[0] ?? "")).toBe(false);
    await store.surfaces.detach(shown().surface_id);
    await expect(store.surfaces.call(shown().surface_id, "sdk.surfaces.get", {})).rejects.toThrow("not attached");
  });

  it("follows questions until they end", async () => {
    const { agent, state, client } = await openStore();
    const { call_id } = await agent.invoke("interaction.confirm", { title: "T", prompt: "P" });
    await expect.poll(() => state().interactions).toMatchObject([{ record: { call_id, kind: "confirm" } }]);
    const interaction_id = state().interactions[0]?.record.interaction_id ?? "";
    await client.call("renderer.submit", { interaction_id, result: { approved: true } });
    await expect.poll(() => state().interactions).toEqual([]);
    await expect.poll(() => agent.result(call_id)).toMatchObject({ status: "completed", result: { approved: true } });
  });

  it("shows calls as they were read, without those that ended", async () => {
    const opened = await openStore();
    const { agent, state, store } = opened;
    await openTask(opened);
    await store.refresh();
    expect(state().tool_calls).toMatchObject([{ tool_id: "task-dashboard.open" }]);
    await agent.invoke("task-dashboard.update", { task_id: "t", state: "completed" });
    await expect.poll(() => state().tool_calls).toEqual([]);
  });

  it("reads a surface again where a patch is missing", async () => {
    const opened = await openStore();
    const { agent, lossy, store } = opened;
    const shown = await openTask(opened);
    let dropped = 0;
    lossy.passes = ({ method }) => !(method === "surface.patched" && dropped++ === 0);
    await update(agent, 10);
    await expect.poll(() => dropped).toBeGreaterThan(0);
    await update(agent, 20);
    await expect.poll(() => JSON.stringify(shown().state)).toContain('"progress":20');
    const read = await store.surfaces.call(shown().surface_id, "sdk.surfaces.get", {});
    expect(shown()).toMatchObject({ revision: read.revision, state: read.state });
  });

  it("reads everything again when the Runtime says that news were lost", async () => {
    const opened = await openStore();
    const { agent, client, lossy, state, errors } = opened;
    const shown = await openTask(opened);
    lossy.passes = ({ method }) => method === undefined || method === "transport.send";
    await update(agent, 30);
    await agent.invoke("interaction.notice", { title: "T", message: "M" });
    await agent.invoke("whiteboard.open", { board_id: "b", title: "B" });
    const current = () => client.call("workspace.open", PEER);
    await expect.poll(async () => (await current()).surfaces).toHaveLength(3);
    expect(state().surfaces).toHaveLength(2);
    lossy.passes = () => true;
    lossy.say("runtime.resync", { reason: "output_queue_full" });
    await expect.poll(() => state().surfaces).toHaveLength(3);
    expect(state()).toMatchObject({ interactions: [{ record: { kind: "notice" } }] });
    await expect.poll(() => JSON.stringify(shown().state)).toContain('"progress":30');
    expect(shown().attached).toBe(true);
    expect(errors).toEqual([]);
  });

  it("comes back after a kill: what was mounted and attached is so again, with new tokens", async () => {
    const opened = await openStore();
    const { agent, bed, state, store, errors } = opened;
    const shown = await openTask(opened);
    const { surface_id, instance_id } = shown();
    const mounts: string[] = [];
    await store.mount(instance_id, ({ context }) => mounts.push(context.app_scope));
    await update(agent, 50);
    await expect.poll(() => JSON.stringify(shown().state)).toContain('"progress":50');
    const before = shown().state;
    const phases: string[] = [];
    store.subscribe(() => phases.at(-1) !== state().phase && phases.push(state().phase));
    bed.processes.at(-1)?.kill("SIGKILL");
    await expect.poll(() => state().phase).toBe("stale");
    expect(shown()).toMatchObject({ attached: false, state: before });
    await expect(store.surfaces.call(surface_id, "sdk.surfaces.get", {})).rejects.toMatchObject({
      code: "connection_lost",
    });
    await expect.poll(() => findSurface(state(), surface_id), { timeout: 20_000 }).toMatchObject({ attached: true });
    expect(phases).toEqual(["stale", "live"]);
    expect(shown().state).toEqual(before);
    expect(mounts).toEqual(["task-dashboard", "task-dashboard"]);
    await update(agent, 60);
    await expect.poll(() => JSON.stringify(shown().state)).toContain('"progress":60');
    expect(errors).toEqual([]);
  });

  it("fails a surface and opens it again", async () => {
    const opened = await openStore();
    const { store } = opened;
    const shown = await openTask(opened);
    const { surface_id } = shown();
    await store.surfaces.fail(surface_id, "the frame was loaded twice");
    expect(shown()).toMatchObject({ attached: false, status: "failed" });
    await store.surfaces.attach(surface_id);
    expect(shown()).toMatchObject({ attached: true, status: "open" });
    const gone = await store.surfaces.attach("nothing").catch((error: unknown) => error);
    expect(isRefusal(gone, "surface_not_found")).toBe(true);
  });

  it("hears no more once it is disposed of", async () => {
    const { agent, state, store } = await openStore();
    store.dispose();
    const before = state();
    await agent.invoke("interaction.confirm", { title: "T", prompt: "P" });
    expect(state()).toBe(before);
  });
});
