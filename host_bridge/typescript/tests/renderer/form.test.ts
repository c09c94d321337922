import { describe, expect, it } from "vitest";
import { draftOf, editForm, type Form, type InputRequest, openForm, readForm } from "../../src/index.js";

const request: InputRequest = {
  kind: "input",
  title: "T",
  prompt: "P",
  fields: [
    { id: "email", label: "E-mail", type: "text" },
    { id: "count", label: "Count", type: "number" },
    { id: "name", label: "Name", type: "text", required: true },
    { id: "size", label: "Size", type: "number", required: true },
  ],
};

const type = (...edits: Array<[string, string]>): Form =>
  edits.reduce<Form>((form, [id, text]) => editForm(form, id, text), {});

describe("readForm (E11)", () => {
  it("leaves out optional fields that were cleared: no empty text, no null, no 0", () => {
    const form = type(["email", "a@b"], ["count", "3"], ["email", ""], ["count", ""], ["name", "x"], ["size", "1"]);
    expect(readForm(request, form)).toEqual({ result: { values: { name: "x", size: 1 } } });
  });

  it("takes a required text that was cleared or is blank as what it is", () => {
    expect(readForm(request, type(["name", "x"], ["name", ""], ["size", "1"]))).toEqual({
      result: { values: { name: "", size: 1 } },
    });
    expect(readForm(request, type(["name", "  "], ["size", "1"]))).toMatchObject({
      result: { values: { name: "  " } },
    });
  });

  it("misses what is required and was never touched, and a number that is empty", () => {
    expect(readForm(request, type(["size", " "]))).toEqual({
      faults: [
        { path: "values.name", message: "is required" },
        { path: "values.size", message: "is required" },
      ],
    });
  });

  it.each<[string, number | null]>([
    ["0", 0],
    ["-0.5", -0.5],
    ["+7", 7],
    [" 12 ", 12],
    [".5", 0.5],
    ["5.", 5],
    ["1e3", 1_000],
    ["007", 7],
    ["3,5", null],
    ["1 000", null],
    ["0x10", null],
    ["Infinity", null],
    ["NaN", null],
    ["1e999", null],
    ["-", null],
    ["٣", null],
  ])("reads %j as the number %j", (text, number) => {
    const reading = readForm(request, type(["name", "x"], ["size", text]));
    const wrong = { faults: [{ path: "values.size", message: "must be a number" }] };
    expect(reading).toEqual(number === null ? wrong : { result: { values: { name: "x", size: number } } });
  });

  it("gives the values in the order of the fields", () => {
    const reading = readForm(request, type(["size", "1"], ["name", "x"], ["email", "e"]));
    expect("result" in reading && Object.keys(reading.result.values)).toEqual(["email", "name", "size"]);
  });

  it("is not misled by fields that are called like an object's own", () => {
    const odd: InputRequest = {
      ...request,
      fields: ["toString", "__proto__", "constructor"].map((id) => ({ id, label: id, type: "text" })),
    };
    expect(readForm(odd, {})).toEqual({ result: { values: {} } });
    const reading = readForm(odd, editForm(editForm({}, "__proto__", "p"), "toString", "s"));
    expect("result" in reading && Object.entries(reading.result.values)).toEqual([
      ["toString", "s"],
      ["__proto__", "p"],
    ]);
  });
});

describe("a draft", () => {
  it("keeps the text as it stands, and brings it back", () => {
    const form = type(["count", "1."], ["name", ""]);
    expect(draftOf(form)).toEqual({ values: { count: "1.", name: "" } });
    expect(openForm(request, draftOf(form))).toEqual(form);
  });

  it("may hold numbers, and fields that there are not any more", () => {
    expect(openForm(request, { values: { count: 1.5, other: "x" } })).toEqual({ count: "1.5" });
    expect(openForm(request, null)).toEqual({});
  });
});
