import { describe, expect, it } from "vitest";
import {
  faultsOf,
  isShown,
  openQuestion,
  type Question,
  type QuestionEvent,
  type RendererItem,
  readAnswer,
  reduceQuestion,
  type StandardInteractionRequest,
} from "../../src/index.js";

const item = (request: StandardInteractionRequest, parts: Partial<RendererItem> = {}): RendererItem => ({
  record: {
    interaction_id: "i",
    kind: request.kind,
    request,
    status: "pending",
    result: null,
    reason: null,
    created_at: "2026-08-05T10:00:00.000Z",
    updated_at: "2026-08-05T10:00:00.000Z",
    expires_at: null,
    parent_call_id: null,
    owner: {
      app_scope: "chat",
      instance_id: "n",
      conversation_id: "c",
      source: "agent_tool",
      app_session_id: null,
      parent_call_id: null,
      surface_id: null,
    },
    call_id: "call",
  },
  placement: { provider: "interact", mode: "im-card", instance_id: "n", overlay_instance_id: null },
  draft: null,
  ...parts,
});

const confirm = item({ kind: "confirm", title: "T", prompt: "P" });
const notice = item({ kind: "notice", title: "T", message: "M" });
const choice = item({
  kind: "choice",
  title: "T",
  prompt: "P",
  mode: "multi-choice",
  actions: ["a", "b"].map((id) => ({ id, label: id })),
});
const input = item({
  kind: "input",
  title: "T",
  prompt: "P",
  fields: [{ id: "name", label: "Name", type: "text", required: true, min_length: 2 }],
});

const play = (of: RendererItem, ...events: QuestionEvent[]): Question =>
  events.reduce(reduceQuestion, openQuestion(of));
const yes: QuestionEvent = { type: "submit", result: { approved: true } };
const ended: QuestionEvent = { type: "end", status: "cancelled", reason: "dismissed" };

describe("a question", () => {
  it("opens with what its draft says", () => {
    expect(openQuestion({ ...input, draft: { values: { name: "x" } } })).toMatchObject({
      id: "i",
      phase: "open",
      form: { name: "x" },
      chosen: [],
      ending: null,
    });
  });

  it("is shown unless it is deferred or has ended", () => {
    const deferred = { ...confirm, placement: { ...confirm.placement, mode: "deferred" as const } };
    expect(isShown(play(confirm))).toBe(true);
    expect(isShown(play(deferred))).toBe(false);
    expect(isShown(play(deferred, { type: "present", item: confirm }))).toBe(true);
    expect(isShown(play(confirm, ended))).toBe(false);
  });

  it("is answered by a button where it is a confirm or a notice", () => {
    expect(play(confirm, yes)).toMatchObject({ phase: "submitting", answer: { approved: true } });
    expect(play(notice, { type: "submit", result: { acknowledged: true } })).toMatchObject({ phase: "submitting" });
    expect(play(confirm, { type: "submit" })).toMatchObject({ phase: "open", answer: null });
  });

  it("is answered by what was put together where it is a choice or a form", () => {
    const chosen = play(choice, { type: "choose", action_id: "b" }, { type: "choose", action_id: "a" });
    expect(readAnswer(chosen)).toEqual({ result: { action_ids: ["b", "a"] } });
    expect(reduceQuestion(chosen, { type: "submit" })).toMatchObject({ answer: { action_ids: ["b", "a"] } });
    const typed = play(input, { type: "edit", field_id: "name", text: "xy" }, { type: "submit" });
    expect(typed).toMatchObject({ phase: "submitting", answer: { values: { name: "xy" } } });
  });

  it("stays open with its faults where the answer does not fit; mending one takes its fault away", () => {
    const short = play(input, { type: "edit", field_id: "name", text: "x" }, { type: "submit" });
    expect(short).toMatchObject({ phase: "open", faults: [{ path: "values.name" }] });
    expect(faultsOf(short, "name")).toHaveLength(1);
    expect(faultsOf(reduceQuestion(short, { type: "edit", field_id: "name", text: "xy" }), "name")).toEqual([]);
    expect(play(choice, { type: "submit" })).toMatchObject({ phase: "open", faults: [{ path: "action_ids" }] });
  });

  it("is answered once: while an answer is on its way nothing else counts (E04)", () => {
    const answered = play(confirm, yes);
    for (const event of [yes, { type: "submit", result: { approved: false } }, { type: "cancel" }] as const) {
      expect(reduceQuestion(answered, event)).toBe(answered);
    }
  });

  it("may be answered again where the answer was not taken, with all that was typed", () => {
    const typed = play(input, { type: "edit", field_id: "name", text: "xy" }, { type: "submit" });
    const faults = [{ path: "values.name", message: "no" }];
    const rejected = reduceQuestion(typed, { type: "reject", message: "it does not fit", faults });
    expect(rejected).toMatchObject({
      phase: "open",
      answer: null,
      error: "it does not fit",
      faults,
      form: { name: "xy" },
    });
    expect(reduceQuestion(rejected, { type: "submit" })).toMatchObject({
      phase: "submitting",
      error: null,
      faults: [],
    });
    expect(reduceQuestion(play(confirm), { type: "reject", message: "late", faults: [] })).toMatchObject({
      error: null,
    });
  });

  it("ends for good, by whomever, and the first ending stands", () => {
    const over = play(confirm, yes, { type: "end", status: "submitted", reason: null });
    expect(over).toMatchObject({ phase: "ended", ending: "answered", answer: { approved: true } });
    expect(reduceQuestion(over, ended)).toBe(over);
    expect(reduceQuestion(over, { type: "present", item: confirm })).toBe(over);
    expect(play(confirm, ended)).toMatchObject({ ending: "withdrawn" });
    expect(play(confirm, { type: "end", status: null, reason: null })).toMatchObject({ ending: "unseen" });
  });

  it("keeps what the user did when it is presented again elsewhere", () => {
    const typed = play(input, { type: "edit", field_id: "name", text: "xy" });
    const moved = { ...input, placement: { ...input.placement, overlay_instance_id: "w" } };
    expect(reduceQuestion(typed, { type: "present", item: moved })).toMatchObject({
      item: moved,
      form: { name: "xy" },
    });
  });

  it("ignores what does not belong to its kind", () => {
    const question = openQuestion(confirm);
    expect(reduceQuestion(question, { type: "choose", action_id: "a" })).toBe(question);
    expect(reduceQuestion(question, { type: "edit", field_id: "name", text: "x" })).toBe(question);
    const form = openQuestion(input);
    expect(reduceQuestion(form, { type: "edit", field_id: "toString", text: "x" })).toBe(form);
  });
});
