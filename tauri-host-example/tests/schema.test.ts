import { describe, expect, it } from "vitest";
import { INTERACTIVE_TOOLS } from "../src/model/interactive_tools.ts";
import { exampleOf, openDraft, readDraft, type Schema } from "../src/schema/schema.ts";

const TASK: Schema = {
  type: "object",
  required: ["id"],
  properties: {
    id: { type: "string", minLength: 1 },
    count: { type: "number", minimum: 2 },
    on: { type: "boolean" },
    kind: { type: "string", enum: ["a", "b"] },
    points: { type: "array", items: { type: "array", items: { type: "number" } } },
    parts: { type: "array", items: { type: "object", properties: { name: { type: "string" } } } },
    inner: { type: "object", properties: { deep: { type: "string" } } },
  },
};

describe("a form for a schema", () => {
  it("leaves out what was not filled in", () => {
    expect(readDraft(TASK, {})).toEqual({});
    expect(readDraft(TASK, { id: "x", count: "", on: "", points: [], inner: { deep: "" } })).toEqual({
      id: "x",
      inner: {},
    });
  });

  it("reads numbers, truth and lists as what they are", () => {
    const draft = { count: "2.5", on: "false", points: [["1", "2"], ["3"]], parts: [{ name: "n" }, {}] };
    expect(readDraft(TASK, draft)).toEqual({
      count: 2.5,
      on: false,
      points: [[1, 2], [3]],
      parts: [{ name: "n" }, {}],
    });
  });

  it("hands on what is no number, so that the Runtime says what is wrong", () => {
    expect(readDraft(TASK, { count: "many" })).toEqual({ count: "many" });
  });

  it("opens a value and reads the same again", () => {
    const value = {
      id: "x",
      count: 3,
      on: true,
      kind: "b",
      points: [[1, 2]],
      parts: [{ name: "n" }],
      inner: { deep: "d" },
    };
    expect(readDraft(TASK, openDraft(TASK, value))).toEqual(value);
  });

  it("opens nothing that the schema does not know", () => {
    expect(openDraft(TASK, { unknown: 1, id: { an: "object" } })).toEqual({ id: "" });
    expect(openDraft(TASK, "no object")).toEqual({});
  });

  it("makes an example of what is required", () => {
    expect(exampleOf(TASK)).toEqual({ id: "id-1" });
    expect(exampleOf({ type: "string", maxLength: 3 }, "long_name")).toBe("lon");
    const choice = INTERACTIVE_TOOLS.find(({ id }) => id === "interaction.choice")?.input_schema as unknown as Schema;
    expect(exampleOf(choice)).toEqual({
      title: "title-1",
      prompt: "prompt-1",
      mode: "single-choice",
      actions: [
        { id: "id-1", label: "label-1" },
        { id: "id-2", label: "label-2" },
      ],
    });
  });
});
