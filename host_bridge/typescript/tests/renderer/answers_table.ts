// Answers and whether they fit, held against the renderer model and against the real Runtime alike.
import type { StandardInteractionRequest } from "../../src/index.js";

export interface Row {
  readonly title: string;
  readonly request: StandardInteractionRequest;
  readonly result: unknown;
  readonly fits: boolean;
}

const notice: StandardInteractionRequest = { kind: "notice", title: "T", message: "M" };
const confirm: StandardInteractionRequest = { kind: "confirm", title: "T", prompt: "P" };
const actions = ["a", "b", "c"].map((id) => ({ id, label: id }));
const single: StandardInteractionRequest = { kind: "choice", title: "T", prompt: "P", mode: "single-choice", actions };
const multi: StandardInteractionRequest = { ...single, mode: "multi-choice" };
const button: StandardInteractionRequest = { ...single, mode: "button" };
const form: StandardInteractionRequest = {
  kind: "input",
  title: "T",
  prompt: "P",
  fields: [
    { id: "name", label: "Name", type: "text", required: true },
    { id: "code", label: "Code", type: "text", min_length: 2, max_length: 3 },
    { id: "age", label: "Age", type: "number", minimum: -1, maximum: 10.5 },
    { id: "note", label: "Note", type: "textarea" },
    { id: "toString", label: "Odd", type: "text" },
  ],
};
const limits: StandardInteractionRequest = {
  kind: "input",
  title: "T",
  prompt: "P",
  fields: [
    { id: "none", label: "None", type: "text", max_length: 0 },
    { id: "n", label: "N", type: "number", required: true },
  ],
};

const row = (title: string, request: StandardInteractionRequest, result: unknown, fits: boolean): Row => ({
  title: `${request.kind}: ${title}`,
  request,
  result,
  fits,
});
const filled = (values: object) => ({ values: { name: "x", ...values } });
const own = (json: string) => JSON.parse(json) as unknown;

export const ROWS: readonly Row[] = [
  row("acknowledged", notice, { acknowledged: true }, true),
  row("not acknowledged", notice, { acknowledged: false }, false),
  row("1 is not true", notice, { acknowledged: 1 }, false),
  row("text is not true", notice, { acknowledged: "true" }, false),
  row("nothing", notice, {}, false),
  row("more than that", notice, { acknowledged: true, more: 1 }, false),
  row("null", notice, null, false),
  row("a list", notice, [true], false),

  row("yes", confirm, { approved: true }, true),
  row("no", confirm, { approved: false }, true),
  row("0 is not no", confirm, { approved: 0 }, false),
  row("null is not no", confirm, { approved: null }, false),
  row("nothing", confirm, {}, false),
  row("the older word", confirm, { confirm: false }, false),
  row("the answer of another kind", confirm, { acknowledged: true }, false),

  row("one", single, { action_ids: ["b"] }, true),
  row("the same twice is one", single, { action_ids: ["b", "b"] }, true),
  row("two of a single choice", single, { action_ids: ["a", "b"] }, false),
  row("none of a single choice", single, { action_ids: [] }, false),
  row("an unknown one", single, { action_ids: ["ok"] }, false),
  row("a number", single, { action_ids: [1] }, false),
  row("text instead of a list", single, { action_ids: "a" }, false),
  row("an index", single, { action_index: 0 }, false),
  row("two buttons", button, { action_ids: ["a", "b"] }, false),
  row("a button", button, { action_ids: ["c"] }, true),
  row("many, in any order", multi, { action_ids: ["c", "a"] }, true),
  row("all, with duplicates", multi, { action_ids: ["c", "a", "c", "b", "a"] }, true),
  row("none of many", multi, { action_ids: [] }, false),
  row("a known and an unknown one", multi, { action_ids: ["a", "d"] }, false),
  row("a thousand times the same", multi, { action_ids: Array(1_000).fill("a") }, true),
  row("once more", multi, { action_ids: Array(1_001).fill("a") }, false),
  row("an empty id", multi, { action_ids: [""] }, false),
  row("null among ids", multi, { action_ids: ["a", null] }, false),

  row("what is required alone", form, filled({}), true),
  row("without what is required", form, { values: {} }, false),
  row("nothing", form, {}, false),
  row("empty required text", form, { values: { name: "" } }, true),
  row("blank required text", form, { values: { name: "  " } }, true),
  row("null for a text", form, { values: { name: null } }, false),
  row("a number for a text", form, { values: { name: 1 } }, false),
  row("null for an optional text", form, filled({ note: null }), false),
  row("a field that there is not", form, filled({ other: "x" }), false),
  row("a field named like a method, absent", form, filled({}), true),
  row("a field named like a method, given", form, filled({ toString: "x" }), true),
  row("a field named like a method of no field", form, filled({ valueOf: "x" }), false),
  row("a prototype", form, own('{"values":{"name":"x","__proto__":"y"}}'), false),
  row("more than values", form, { ...filled({}), more: 1 }, false),
  row("values as a list", form, { values: ["x"] }, false),
  row("lines in a textarea", form, filled({ note: "a\nb\r\n\u2028" }), true),

  row("too short", form, filled({ code: "1" }), false),
  row("empty where a minimum is", form, filled({ code: "" }), false),
  row("as short as may be", form, filled({ code: "12" }), true),
  row("as long as may be", form, filled({ code: "123" }), true),
  row("too long", form, filled({ code: "1234" }), false),
  row("one emoji is one character", form, filled({ code: "😀" }), false),
  row("three emoji are three", form, filled({ code: "😀😀😀" }), true),
  row("four are too many", form, filled({ code: "😀😀😀😀" }), false),
  row("a family counts by code points", form, filled({ code: "👩‍👦" }), true),
  row("combining marks count", form, filled({ code: "e\u0301e\u0301" }), false),
  row("half a character", form, filled({ code: "a\ud83d" }), false),
  row("no character allowed, none given", limits, { values: { n: 1, none: "" } }, true),
  row("no character allowed, one given", limits, { values: { n: 1, none: "x" } }, false),

  row("the least", form, filled({ age: -1 }), true),
  row("less than that", form, filled({ age: -1.001 }), false),
  row("the most", form, filled({ age: 10.5 }), true),
  row("more than that", form, filled({ age: 10.500001 }), false),
  row("zero", form, filled({ age: 0 }), true),
  row("minus zero", form, filled({ age: -0 }), true),
  row("digits as text", form, filled({ age: "5" }), false),
  row("empty text for a number", form, filled({ age: "" }), false),
  row("true for a number", form, filled({ age: true }), false),
  row("null for a number", form, filled({ age: null }), false),
  row("NaN", form, filled({ age: Number.NaN }), false),
  row("infinity", limits, { values: { n: Number.POSITIVE_INFINITY } }, false),
  row("the largest double", limits, { values: { n: Number.MAX_VALUE } }, true),
  row("the smallest double", limits, { values: { n: Number.MIN_VALUE } }, true),
  row("a whole number beyond exactness", limits, { values: { n: 2 ** 60 } }, true),
  row("a required number missing", limits, { values: {} }, false),
];
