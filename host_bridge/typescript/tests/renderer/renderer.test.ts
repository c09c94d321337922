import { describe, expect, it, onTestFinished } from "vitest";
import { childProcess, isShown, Renderer, RpcClient, Supervisor, WorkspaceStore } from "../../src/index.js";
import { Agent, PEER } from "../agent.js";
import { HOST, makeBed } from "../sidecar.js";

async function openRenderer(draftDelayMs = 1) {
  const bed = await makeBed("--test-clock");
  const client = new RpcClient();
  const supervisor = new Supervisor(client, childProcess(bed.spawn), { initialize: { host: HOST } });
  onTestFinished(() => supervisor.stop());
  const agent = new Agent(client);
  const store = new WorkspaceStore(client, PEER);
  store.follow(supervisor);
  const renderer = new Renderer(client, store, { draftDelayMs });
  await supervisor.start();
  const ask = async (kind: string, request: object) => {
    const { call_id } = await agent.invoke(`interaction.${kind}`, request);
    const find = () => renderer.getSnapshot().find(({ item }) => item.record.call_id === call_id);
    await expect.poll(find).toBeDefined();
    return { call_id, id: find()?.id ?? "", question: () => find() };
  };
  return { bed, client, supervisor, agent, store, renderer, ask };
}

const CONFIRM = { title: "T", prompt: "P" };
const FORM = {
  title: "T",
  prompt: "P",
  fields: [
    { id: "name", label: "Name", type: "text", required: true, min_length: 2 },
    { id: "age", label: "Age", type: "number" },
  ],
};

describe("Renderer", () => {
  it("brings an answer to the Agent, once, whatever is pressed meanwhile (E04)", async () => {
    const { agent, renderer, ask } = await openRenderer();
    const { call_id, id, question } = await ask("confirm", CONFIRM);
    await renderer.present(id);
    const pressed = [true, false, true].map((approved) => renderer.submit(id, { approved }));
    expect(question()).toMatchObject({ phase: "submitting" });
    await Promise.all(pressed);
    expect(question()).toMatchObject({ phase: "ended", ending: "answered", answer: { approved: true } });
    await expect.poll(() => agent.result(call_id)).toMatchObject({ status: "completed", result: { approved: true } });
    renderer.dismiss(id);
    expect(renderer.getSnapshot()).toEqual([]);
  });

  it("shows a question as presented, and completes a notice by that", async () => {
    const { agent, renderer, ask } = await openRenderer();
    const { call_id, id, question } = await ask("notice", { title: "T", message: "M" });
    expect(renderer.getSnapshot().map(isShown)).toEqual([true]);
    await Promise.all([renderer.present(id), renderer.present(id)]);
    await expect.poll(() => agent.result(call_id)).toMatchObject({ result: { presented: true } });
    await renderer.submit(id, { acknowledged: true });
    expect(question()).toMatchObject({ ending: "answered" });
  });

  it("keeps the user's order of a choice", async () => {
    const { agent, renderer, ask } = await openRenderer();
    const actions = ["a", "b", "c"].map((name) => ({ id: name, label: name }));
    const { call_id, id } = await ask("choice", { ...CONFIRM, mode: "multi-choice", actions });
    for (const action of ["c", "b", "a", "b"]) renderer.choose(id, action);
    await renderer.submit(id);
    await expect.poll(() => agent.result(call_id)).toMatchObject({ result: { action_ids: ["c", "a"] } });
  });

  it("does not send what does not fit, and sends it once it is mended", async () => {
    const { agent, renderer, ask } = await openRenderer();
    const { call_id, id, question } = await ask("input", FORM);
    renderer.edit(id, "name", "x");
    renderer.edit(id, "age", "old");
    await renderer.submit(id);
    expect(question()).toMatchObject({ phase: "open", faults: [{ path: "values.name" }, { path: "values.age" }] });
    renderer.edit(id, "name", "😀😀");
    renderer.edit(id, "age", "");
    await renderer.submit(id);
    await expect.poll(() => agent.result(call_id)).toMatchObject({ result: { values: { name: "😀😀" } } });
    expect(question()).toMatchObject({ phase: "ended", draft: "none" });
  });

  it("tells apart how questions end (E13)", async () => {
    const { agent, client, renderer, ask } = await openRenderer();
    const cancelled = await ask("confirm", CONFIRM);
    await renderer.cancel(cancelled.id, "not now");
    expect(cancelled.question()).toMatchObject({ ending: "cancelled", answer: null });
    const withdrawn = await ask("confirm", CONFIRM);
    const payload = { control_id: "control", call_id: withdrawn.call_id };
    const envelope = { type: "lineup.v1.interaction.dismiss", message_id: "m-dismiss", payload } as const;
    await client.call("transport.deliver", { peer: PEER, envelope });
    await expect.poll(() => withdrawn.question()).toMatchObject({ ending: "withdrawn" });
    const expired = await ask("confirm", { ...CONFIRM, expires_in_ms: 60_000 });
    await client.call("test.advanceClock", { ms: 60_001 });
    await expect.poll(() => expired.question()).toMatchObject({ ending: "expired" });
    await renderer.submit(expired.id, { approved: true });
    const outcomes = () => [cancelled, withdrawn, expired].map(({ call_id }) => agent.result(call_id));
    await expect.poll(outcomes).toMatchObject([
      { status: "cancelled", reason: "user_cancelled" },
      { status: "cancelled", reason: "dismissed" },
      { status: "expired", reason: "never_presented" },
    ]);
  });

  it("learns from the refusal that somebody else was first", async () => {
    const { client, renderer, ask } = await openRenderer();
    const { id, question } = await ask("confirm", CONFIRM);
    const first = client.call("renderer.submit", { interaction_id: id, result: { approved: false } });
    const second = renderer.submit(id, { approved: true });
    await Promise.all([first, second]);
    expect(question()).toMatchObject({ phase: "ended", ending: "answered" });
  });

  it("keeps a draft across a kill, each in its own place (I07)", async () => {
    const { bed, renderer, store, ask } = await openRenderer();
    const one = await ask("input", FORM);
    const two = await ask("input", FORM);
    renderer.edit(one.id, "name", "first");
    renderer.edit(one.id, "age", "1.");
    renderer.edit(two.id, "name", "second");
    await expect.poll(() => [one.question()?.draft, two.question()?.draft]).toEqual(["saved", "saved"]);
    bed.processes.at(-1)?.kill("SIGKILL");
    await expect.poll(() => store.getSnapshot().phase).toBe("stale");
    renderer.edit(one.id, "name", "first, and more");
    await expect.poll(() => store.getSnapshot().phase, { timeout: 20_000 }).toBe("live");
    expect(store.getSnapshot().interactions.map(({ draft }) => draft?.values)).toEqual([
      { name: "first", age: "1." },
      { name: "second" },
    ]);
    expect(one.question()?.form).toEqual({ age: "1.", name: "first, and more" });
    await expect.poll(() => one.question()?.draft).toBe("saved");
    await store.refresh();
    expect(store.getSnapshot().interactions[0]?.draft?.values).toEqual({ name: "first, and more", age: "1." });
  });

  it("gives the text back where the answer was lost, and takes it in the next session (I06)", async () => {
    const { agent, bed, renderer, store, ask } = await openRenderer(1_000_000);
    const { call_id, id, question } = await ask("input", FORM);
    renderer.edit(id, "name", "kept");
    bed.processes.at(-1)?.kill("SIGSTOP");
    const submitted = renderer.submit(id);
    bed.processes.at(-1)?.kill("SIGKILL");
    await submitted;
    expect(question()).toMatchObject({ phase: "open", form: { name: "kept" }, draft: "pending" });
    expect(question()?.error).toContain("SIGKILL");
    await expect.poll(() => store.getSnapshot().phase, { timeout: 20_000 }).toBe("live");
    await renderer.submit(id);
    await expect.poll(() => agent.result(call_id)).toMatchObject({ result: { values: { name: "kept" } } });
  });

  it("saves drafts at once before the page goes, and says which is too large", async () => {
    const { client, renderer, ask } = await openRenderer(1_000_000);
    const { id, question } = await ask("input", FORM);
    renderer.edit(id, "name", "last words");
    await renderer.flush();
    const { items } = await client.call("renderer.list", { conversation_id: PEER.conversation_id });
    expect(items[0]?.draft).toEqual({ values: { name: "last words" } });
    renderer.edit(id, "name", "x".repeat(65_537));
    await renderer.flush();
    expect(question()).toMatchObject({ draft: "failed" });
  });
});
