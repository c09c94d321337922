import { describe, expect, it } from "vitest";
import type { Instance, RendererItem, Surface, SurfaceAttachResult, WorkspaceSnapshot } from "../src/index.js";
import * as news from "../src/workspace_news.js";
import { contextOf, emptyWorkspace, findSurface } from "../src/workspace_state.js";

const CONVERSATION = { conversation_id: "c", agent_id: "a" };

const instance = (instance_id: string, state: Instance["state"] = "foreground"): Instance => ({
  instance_id,
  app_scope: "whiteboard",
  app_version: "1.0.0",
  conversation_id: "c",
  state,
  run_by: "worker",
  mounted: false,
  app_session_id: null,
});

const surface = (surface_id: string, instance_id: string, revision = 1): Surface => ({
  surface_id,
  instance_id,
  key: "k",
  title: "T",
  container: "sandboxed-iframe",
  status: "open",
  revision,
});

const snapshot = (parts: Partial<WorkspaceSnapshot> = {}): WorkspaceSnapshot => ({
  ...CONVERSATION,
  revision: 5,
  foreground: "i",
  focus_stack: ["i"],
  instances: [instance("i")],
  surfaces: [surface("s", "i", 3)],
  interactions: [],
  tool_calls: [],
  capability_requests: [],
  ...parts,
});

const attach: SurfaceAttachResult = {
  surface_id: "s",
  instance_id: "i",
  container: "sandboxed-iframe",
  title: "T",
  revision: 3,
  state: { strokes: { one: [1] } },
  surface_token: "secret",
  document: { html: "<p>", csp: "default-src 'none'", sandbox: ["allow-scripts"] },
};

const live = news.takeSnapshot(emptyWorkspace(CONVERSATION), snapshot());
const attached = news.attachSurface(live, attach);

const question = (interaction_id: string, conversation_id = "c") =>
  ({ record: { interaction_id, owner: { conversation_id } } }) as RendererItem;

describe("workspace.changed", () => {
  const change = (revision: number, ...instances: Instance[]) => ({
    conversation_id: "c",
    revision,
    foreground: instances[0]?.instance_id ?? null,
    focus_stack: instances.map(({ instance_id }) => instance_id),
    instances,
  });

  it("is taken whole, and with it goes what belonged to the gone", () => {
    expect(news.takeChange(attached, change(6, instance("j")))).toMatchObject({
      revision: 6,
      foreground: "j",
      surfaces: [],
    });
  });

  it("may repeat what is known, but not go back, nor speak of another conversation", () => {
    expect(news.takeChange(live, change(5, instance("i", "background"))).instances[0]?.state).toBe("background");
    expect(news.takeChange(live, change(4))).toBe(live);
    expect(news.takeChange(live, { ...change(9), conversation_id: "other" })).toBe(live);
  });
});

describe("surface.patched", () => {
  it("is merged where it is the next one, and shares the rest", () => {
    const next = news.patchSurface(attached, { surface_id: "s", revision: 4, patch: { strokes: { two: [2] } } });
    expect(findSurface(next ?? live, "s")).toMatchObject({ revision: 4, state: { strokes: { one: [1], two: [2] } } });
    expect(next?.instances).toBe(attached.instances);
  });

  it("changes nothing where it is known, or of no surface that is", () => {
    expect(news.patchSurface(attached, { surface_id: "s", revision: 3, patch: { x: 1 } })).toBe(attached);
    expect(news.patchSurface(attached, { surface_id: "other", revision: 9, patch: {} })).toBe(attached);
  });

  it("says so where one before it is missing", () => {
    expect(news.patchSurface(attached, { surface_id: "s", revision: 5, patch: {} })).toBeNull();
  });

  it("only counts where the state is not shown", () => {
    const next = news.patchSurface(live, { surface_id: "s", revision: 9, patch: { x: 1 } });
    expect(findSurface(next ?? live, "s")).toMatchObject({ revision: 9, state: null });
  });

  it("lets no key reach a prototype", () => {
    const patch = JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}');
    const next = news.patchSurface(attached, { surface_id: "s", revision: 4, patch });
    expect(findSurface(next ?? live, "s")?.state).toEqual({ strokes: { one: [1] } });
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });
});

describe("a snapshot", () => {
  it("keeps the state of a surface that is shown, at the revision of that state", () => {
    const again = news.takeSnapshot(attached, snapshot({ surfaces: [surface("s", "i", 7)] }));
    expect(findSurface(again, "s")).toMatchObject({ revision: 3, attached: true, state: attach.state });
  });

  it("takes away the attachment of one that failed", () => {
    const failed = { ...surface("s", "i", 3), status: "failed" as const };
    expect(findSurface(news.takeSnapshot(attached, snapshot({ surfaces: [failed] })), "s")).toMatchObject({
      attached: false,
      status: "failed",
    });
  });

  it("never holds a token", () => {
    expect(JSON.stringify(attached)).not.toContain("secret");
  });
});

it("after a loss all is as it was, but stale and not attached", () => {
  expect(news.loseSession(attached)).toMatchObject({
    phase: "stale",
    surfaces: [{ attached: false, state: attach.state }],
  });
  const empty = emptyWorkspace(CONVERSATION);
  expect(news.loseSession(empty)).toBe(empty);
});

it("presents a question once, in its place, and takes it back", () => {
  const two = news.presentItem(news.presentItem(live, question("a")), question("b"));
  const again = news.presentItem(two, { ...question("a"), draft: { values: { x: "1" } } });
  expect(again.interactions.map(({ record }) => record.interaction_id)).toEqual(["a", "b"]);
  expect(again.interactions[0]?.draft).toEqual({ values: { x: "1" } });
  const retract = { interaction_id: "a", status: "expired", reason: "no_answer" } as const;
  expect(news.retractItem(again, retract).interactions).toEqual([question("b")]);
  expect(news.retractItem(live, retract)).toBe(live);
  expect(news.presentItem(live, question("c", "other"))).toBe(live);
});

it("remembers a failure until the logic is there again", () => {
  const failure = { instance_id: "i", app_scope: "whiteboard", code: "app_crashed", message: "m" };
  const down = news.noteFailure(live, failure);
  expect(down.failures).toEqual([failure]);
  expect(news.noteFailure(live, { ...failure, instance_id: "gone" })).toBe(live);
  const suspended = news.takeSnapshot(down, snapshot({ instances: [instance("i", "suspended")] }));
  expect(suspended.failures).toEqual([failure]);
  expect(news.takeSnapshot(suspended, snapshot()).failures).toEqual([]);
});

it("keeps capability requests of live instances until they are resolved", () => {
  const request = { request_id: "r", instance_id: "i", app_scope: "w", capability: "c", reason: "", arguments: {} };
  const asked = news.addRequest(news.addRequest(live, request), request);
  expect(asked.capability_requests).toEqual([request]);
  expect(news.addRequest(live, { ...request, instance_id: "gone" })).toBe(live);
  expect(news.dropRequest(asked, "r").capability_requests).toEqual([]);
});

it("ignores a surface of an instance that is not live", () => {
  expect(news.openSurface(live, surface("n", "gone"))).toBe(live);
  expect(news.openSurface(live, surface("n", "i")).surfaces.map(({ surface_id }) => surface_id)).toEqual(["s", "n"]);
});

it("tells a view who its instance is as the Runtime would", () => {
  expect(contextOf({ ...instance("i"), app_scope: "chat" })).toEqual({
    app_scope: "chat",
    instance_id: "i",
    conversation_id: "c",
    app_version: "1.0.0",
    state: "foreground",
    mode: "im",
  });
  expect(contextOf(instance("i")).mode).toBeNull();
});
