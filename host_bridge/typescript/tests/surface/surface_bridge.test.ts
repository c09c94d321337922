import { createHash } from "node:crypto";
import { describe, expect, it, onTestFinished } from "vitest";
import {
  childProcess,
  FrameListener,
  findSurface,
  RpcClient,
  Supervisor,
  SurfaceBridge,
  WorkspaceStore,
} from "../../src/index.js";
import { Agent, PEER } from "../agent.js";
import { Lossy } from "../lossy.js";
import { HOST, makeBed } from "../sidecar.js";
import { Documents, Page } from "./page.js";

async function openTask() {
  const bed = await makeBed();
  const client = new RpcClient();
  const lossy = new Lossy(childProcess(bed.spawn));
  const supervisor = new Supervisor(client, lossy, { initialize: { host: HOST } });
  onTestFinished(() => supervisor.stop());
  const agent = new Agent(client);
  const store = new WorkspaceStore(client, PEER);
  store.follow(supervisor);
  await supervisor.start();
  await agent.invoke("task-dashboard.open", { task_id: "t", title: "Build" });
  const find = () => store.getSnapshot().surfaces.find(({ key }) => key === "tasks");
  await expect.poll(find).toBeDefined();
  const surfaceId = find()?.surface_id ?? "";
  const page = new Page();
  const listener = new FrameListener(page.window);
  const documents = new Documents();
  const make = (options: { readyTimeoutMs?: number } = {}) => {
    const { container } = page;
    const parts = { store, surfaceId, documents, listener, container, theme: "dark", locale: "de" } as const;
    return new SurfaceBridge({ ...parts, ...options });
  };
  return { bed, client, lossy, agent, store, surfaceId, page, listener, documents, make };
}

const connected = { phase: "connected", generation: 1, error: null };

async function showTask() {
  const opened = await openTask();
  const bridge = opened.make();
  await bridge.show();
  await expect.poll(() => bridge.getSnapshot()).toEqual(connected);
  const view = await opened.page.frame.view;
  if (view === undefined) throw new Error("the frame has no view");
  return { ...opened, bridge, view };
}

/** A port of the frame's own, beside its client: what hostile code in it could do. */
async function takePort({ page, make }: Awaited<ReturnType<typeof openTask>>) {
  let port: MessagePort | undefined;
  const heard: unknown[] = [];
  page.start = (frame) => {
    frame.contentWindow?.addEventListener("message", ({ ports }) => {
      port = ports?.[0] as MessagePort;
      port.onmessage = ({ data }) => heard.push(data);
    });
    frame.post({ lineup: "ready" });
    frame.fireLoad();
  };
  const bridge = make();
  await bridge.show();
  await expect.poll(() => port).toBeDefined();
  return { bridge, heard, say: (data: unknown) => port?.postMessage(data) };
}

async function takePortOf() {
  const opened = await openTask();
  return { ...opened, ...(await takePort(opened)) };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe("SurfaceBridge", () => {
  it("loads a view from an address of its own, sandboxed, and connects it", async () => {
    const { page, documents, view, surfaceId } = await showTask();
    const { frame } = page;
    expect(frame.attributes).toEqual({ sandbox: "allow-scripts", allow: "", referrerpolicy: "no-referrer" });
    expect(frame).toMatchObject({ src: "http://127.0.0.1:9/1", title: "Task Dashboard" });
    const html = expect.stringMatching(/^<!doctype html><script>for\(const name of\["RTCPeerConnection"/);
    expect(documents.served).toMatchObject([{ surfaceId, html, csp: expect.stringContaining("connect-src 'none'") }]);
    expect(frame.dataset).toEqual({ theme: "dark" });
    expect(view.state).toMatchObject({ tasks: { "task:t": { title: "Build" } } });
    expect(view.context).toMatchObject({
      app_scope: "task-dashboard",
      conversation_id: PEER.conversation_id,
      mode: null,
    });
    expect(page.frame.contentWindow?.heard).toEqual([
      { lineup: "port", surface_id: surfaceId, theme: "dark", locale: "de" },
    ]);
  });

  it("carries changes both ways", async () => {
    const { agent, store, surfaceId, view } = await showTask();
    await agent.invoke("task-dashboard.update", { task_id: "t", progress: 40 });
    await expect.poll(() => JSON.stringify(view.state)).toContain('"progress":40');
    await view.update({ mine: { text: "漢😀" } });
    expect(view.state).toMatchObject({ mine: { text: "漢😀" } });
    const shown = findSurface(store.getSnapshot(), surfaceId);
    expect(shown).toMatchObject({ state: { mine: { text: "漢😀" } }, revision: view.revision });
  });

  it("brings events, artifacts and refusals through", async () => {
    const { client, store, view } = await showTask();
    await view.emit("note", { task: "task:t" });
    await expect.poll(() => store.getSnapshot().interactions).toMatchObject([{ record: { kind: "input" } }]);
    const content = Buffer.from("hello");
    const artifact = {
      name: "a.txt",
      media_type: "text/plain",
      byte_size: content.length,
      sha256: createHash("sha256").update(content).digest("hex"),
      content_base64: content.toString("base64"),
    };
    const artifact_id = await view.submit(artifact);
    expect(await client.call("artifact.get", { artifact_id })).toMatchObject({ name: "a.txt" });
    await expect(view.submit({ ...artifact, byte_size: 1 })).rejects.toMatchObject({ code: "artifact_invalid" });
    await expect(view.update({ constructor: { prototype: { polluted: 1 } } })).rejects.toMatchObject({
      code: "surface_patch_invalid",
    });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  it("tells a view of its instance, the theme and the locale", async () => {
    const opened = await openTask();
    const { bridge, heard } = await takePort(opened);
    await opened.agent.invoke("whiteboard.open", { board_id: "b", title: "B" });
    await expect
      .poll(() => heard)
      .toContainEqual({ event: "context", context: expect.objectContaining({ state: "background" }) });
    bridge.setTheme("light");
    bridge.setTheme(null);
    bridge.setLocale("fr");
    const news = [
      { event: "theme", theme: "light" },
      { event: "theme", theme: null },
      { event: "locale", locale: "fr" },
    ];
    await expect.poll(() => heard.slice(-3)).toEqual(news);
  });

  it("closes with its surface", async () => {
    const { bridge, page, view } = await showTask();
    void view.requestClose();
    await expect.poll(() => bridge.getSnapshot().phase).toBe("closed");
    expect(page.frame.contentWindow).toBeNull();
    await bridge.show();
    expect(bridge.getSnapshot().phase).toBe("closed");
  });

  it("detaches when it is closed", async () => {
    const { bridge, page, store, surfaceId } = await showTask();
    await bridge.close();
    expect(page.frame.contentWindow).toBeNull();
    expect(findSurface(store.getSnapshot(), surfaceId)).toMatchObject({ attached: false, status: "open" });
  });
});

describe("after a loss", () => {
  it("answers a view that the connection is lost, and goes on with the same frame", async () => {
    const { bed, agent, bridge, page, store, view } = await showTask();
    bed.processes.at(-1)?.kill("SIGKILL");
    await expect.poll(() => store.getSnapshot().phase).toBe("stale");
    await expect(view.update({ a: 1 })).rejects.toMatchObject({ code: "connection_lost" });
    await expect
      .poll(() => store.getSnapshot().surfaces.some(({ attached }) => attached), { timeout: 20_000 })
      .toBe(true);
    await view.update({ b: 2 });
    await agent.invoke("task-dashboard.update", { task_id: "t", progress: 60 });
    await expect.poll(() => JSON.stringify(view.state)).toContain('"progress":60');
    expect(view.state).toMatchObject({ b: 2 });
    expect(page.frames).toHaveLength(1);
    expect(bridge.getSnapshot()).toEqual(connected);
  });

  it("reads for a view that was just starting as soon as there is a session again", async () => {
    const opened = await openTask();
    const { heard, say } = await takePort(opened);
    opened.bed.processes.at(-1)?.kill("SIGKILL");
    await expect.poll(() => opened.store.getSnapshot().phase).toBe("stale");
    say({ id: 1, method: "sdk.surfaces.get" });
    say({ id: 2, method: "sdk.context.get" });
    const answers = [
      { id: 1, result: expect.objectContaining({ surface_id: opened.surfaceId }) },
      { id: 2, result: expect.objectContaining({ app_scope: "task-dashboard" }) },
    ];
    await expect.poll(() => heard.filter((one) => "id" in (one as object)), { timeout: 20_000 }).toEqual(answers);
  });

  it("brings a view what it missed, in one piece", async () => {
    const { agent, client, lossy, store, surfaceId, view } = await showTask();
    lossy.passes = ({ method }) => method !== "surface.patched";
    for (const progress of [10, 20, 30]) await agent.invoke("task-dashboard.update", { task_id: "t", progress });
    const revision = async () =>
      (await client.call("workspace.open", PEER)).surfaces.find((one) => one.surface_id === surfaceId)?.revision ?? 0;
    await expect.poll(revision).toBeGreaterThan(view.revision + 1);
    lossy.passes = () => true;
    await store.refresh();
    await expect.poll(() => JSON.stringify(view.state)).toContain('"progress":30');
    expect(view.revision).toBe(findSurface(store.getSnapshot(), surfaceId)?.revision);
  });
});

describe("a view that misbehaves", () => {
  const request = (id: number, params: object = {}, method = "sdk.surfaces.get") => ({ id, method, params });

  it("gets one port, and never a token", async () => {
    const opened = await openTask();
    const tokens: string[] = [];
    opened.lossy.passes = ({ result }) => {
      if (result?.surface_token) tokens.push(result.surface_token);
      return true;
    };
    const { bridge, heard, say } = await takePort(opened);
    opened.page.frame.post({ lineup: "ready" });
    opened.page.frame.post({ lineup: "ready", surface_id: "another" });
    await expect.poll(() => bridge.refused).toEqual({ ready_again: 2 });
    say(request(1));
    await expect.poll(() => heard).toMatchObject([{ id: 1, result: { surface_id: opened.surfaceId } }]);
    const seen = JSON.stringify([heard, opened.page.frame.contentWindow?.heard, opened.documents.served]);
    expect(tokens).toHaveLength(1);
    expect(seen).not.toContain(tokens[0]);
    expect(opened.page.frame.contentWindow?.heard).toHaveLength(1);
  });

  it("is refused what is not a view's, with an answer, and goes on", async () => {
    const { bridge, heard, say } = await takePort(await openTask());
    say(request(1, {}, "sdk.tools.subscribe"));
    say(request(2, { context_token: "guessed" }));
    say(request(3, { surface_id: "another" }));
    say(request(4, { patch: { when: new Date(0) } }, "sdk.surfaces.update"));
    say(request(5, { patch: { text: "x".repeat(300_000) } }, "sdk.surfaces.update"));
    say("not a request");
    say(request(6));
    await expect
      .poll(() => heard)
      .toMatchObject([
        { id: 1, error: { code: 1000, data: { code: "permission_denied" } } },
        { id: 2, error: { code: -32602 } },
        { id: 3, error: { code: -32602 } },
        { id: 4, error: { code: -32602 } },
        { id: 5, error: { code: 1000, data: { code: "limit_exceeded" } } },
        { id: 6, result: { revision: expect.any(Number) } },
      ]);
    expect(bridge.refused).toEqual({ method: 1, params: 3, size: 1, malformed: 1 });
  });

  it("is slowed down where it asks too much, and taken away where it does not stop", async () => {
    const { bridge, heard, say } = await takePort(await openTask());
    for (let id = 0; id < 500; id += 1) say(request(id));
    await expect.poll(() => heard).toHaveLength(500);
    expect(bridge.refused.rate).toBeGreaterThan(200);
    expect(heard).toContainEqual({
      id: expect.any(Number),
      error: { code: 1000, message: expect.any(String), data: expect.objectContaining({ code: "limit_exceeded" }) },
    });
    expect(bridge.getSnapshot().phase).toBe("connected");
    for (let id = 0; id < 2_000; id += 1) say("noise");
    await expect
      .poll(() => bridge.getSnapshot())
      .toMatchObject({ phase: "failed", error: expect.stringContaining("too much") });
  });

  it("stays where its frame loads again and shows the same document: a link within it, in WebKit", async () => {
    const { bridge, page, view } = await showTask();
    for (let link = 0; link < 3; link += 1) page.frame.fireLoad();
    await view.update({ held: "and taken" });
    expect(view.state).toMatchObject({ held: "and taken" });
    await pause(1_200);
    expect(bridge.getSnapshot()).toEqual(connected);
    expect(bridge.refused).toEqual({});
  });

  it("is heard no more from the moment that another document loads, even by its port (F03)", async () => {
    const { bridge, heard, say, page } = await takePortOf();
    page.frame.fireLoad();
    await expect.poll(() => heard).toContainEqual({ event: "hello", hello: expect.any(String) });
    say({ hello: "guessed" });
    for (let id = 0; id < 100; id += 1) say(request(id));
    await expect.poll(() => bridge.getSnapshot().phase).toBe("failed");
    expect(heard).toEqual([{ event: "hello", hello: expect.any(String) }]);
    expect(bridge.refused).toEqual({ stale: 64, rate: 36 });
  });

  it("loses its port and shows a failure where another document loads; shown anew it works (F03)", async () => {
    const { bridge, page, store, surfaceId, view, listener } = await showTask();
    const old = page.frame;
    const oldWindow = old.contentWindow;
    old.leave();
    old.fireLoad();
    await expect
      .poll(() => bridge.getSnapshot())
      .toEqual({
        phase: "failed",
        generation: 1,
        error: "the view went to another page, or loaded again",
      });
    expect(old.contentWindow).toBeNull();
    expect(findSurface(store.getSnapshot(), surfaceId)).toMatchObject({ status: "failed", attached: false });
    const late = view.update({ late: true }).then(
      () => "answered",
      () => "refused",
    );
    await bridge.show();
    await expect.poll(() => bridge.getSnapshot()).toMatchObject({ phase: "connected", generation: 2 });
    page.window.deliver({ lineup: "ready" }, oldWindow);
    await expect.poll(() => listener.refused).toEqual({ unknown_window: 1 });
    const fresh = await page.frame.view;
    await fresh?.update({ fresh: true });
    expect(fresh?.state).toMatchObject({ fresh: true });
    expect(fresh?.state).not.toHaveProperty("late");
    expect(page.frame).not.toBe(old);
    expect(await Promise.race([late, Promise.resolve("never")])).toBe("never");
  });

  it("fails where it never says that it is ready", async () => {
    const { page, make } = await openTask();
    page.start = (frame) => frame.fireLoad();
    const bridge = make({ readyTimeoutMs: 50 });
    await bridge.show();
    await expect.poll(() => bridge.getSnapshot()).toMatchObject({ phase: "failed", error: "the view did not start" });
  });

  it("is known by its window alone: what another one says in its name is refused (F01, F02)", async () => {
    const { bridge, page, listener, surfaceId } = await showTask();
    const stranger = { postMessage: () => undefined };
    page.window.deliver({ lineup: "ready", surface_id: surfaceId }, stranger);
    page.window.deliver({ lineup: "port" }, null);
    page.window.deliver({ other: "code of the page" }, stranger);
    await expect.poll(() => page.window.heard).toHaveLength(4);
    expect(listener.refused).toEqual({ unknown_window: 2 });
    expect(bridge.refused).toEqual({});
    page.frame.post({ lineup: "port" });
    page.frame.post(null);
    await expect.poll(() => bridge.refused).toEqual({ malformed: 2 });
  });
});

describe("showing fails", () => {
  it.each(["data:text/html,x", "blob:http://127.0.0.1/1", "about:blank", "javascript:1"])(
    "for the address %s",
    async (address) => {
      const { documents, make, page } = await openTask();
      documents.serve = async () => address;
      const bridge = make();
      await bridge.show();
      await expect
        .poll(() => bridge.getSnapshot())
        .toMatchObject({ phase: "failed", error: expect.stringContaining("never loaded") });
      expect(page.frames).toEqual([]);
    },
  );

  it("where the document server fails", async () => {
    const { documents, make, store, surfaceId } = await openTask();
    documents.serve = () => Promise.reject(new Error("no room"));
    const bridge = make();
    await bridge.show();
    await expect.poll(() => bridge.getSnapshot()).toMatchObject({ phase: "failed", error: "no room" });
    await expect.poll(() => findSurface(store.getSnapshot(), surfaceId)?.status).toBe("failed");
  });

  it("for a surface without a document", async () => {
    const { store, listener, documents, page } = await openTask();
    const surfaceId =
      store.getSnapshot().surfaces.find(({ container }) => container === "trusted-dom")?.surface_id ?? "";
    const bridge = new SurfaceBridge({ store, surfaceId, listener, documents, container: page.container });
    await bridge.show();
    await expect
      .poll(() => bridge.getSnapshot())
      .toMatchObject({ phase: "failed", error: expect.stringContaining("no document") });
  });
});
