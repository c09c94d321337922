import { expect, it } from "vitest";
import { type ChoiceRequest, chooseAction, readChoice } from "../../src/index.js";

const request = (mode: ChoiceRequest["mode"]): ChoiceRequest => ({
  kind: "choice",
  title: "T",
  prompt: "P",
  mode,
  actions: ["a", "b", "c"].map((id) => ({ id, label: id })),
});

const choose = (mode: ChoiceRequest["mode"], ...ids: string[]) =>
  ids.reduce<readonly string[]>((chosen, id) => chooseAction(request(mode), chosen, id), []);

it("keeps the user's order in a multi-choice, and takes back what is chosen again", () => {
  expect(choose("multi-choice", "c", "a", "b")).toEqual(["c", "a", "b"]);
  expect(choose("multi-choice", "c", "a", "c")).toEqual(["a"]);
  expect(choose("multi-choice", "c", "a", "c", "c")).toEqual(["a", "c"]);
});

it("keeps the last one of a single choice and of buttons", () => {
  expect(choose("single-choice", "a", "b", "b")).toEqual(["b"]);
  expect(choose("button", "a", "c")).toEqual(["c"]);
});

it("ignores what was not offered", () => {
  expect(choose("multi-choice", "a", "toString", "d")).toEqual(["a"]);
});

it("answers with the ids", () => {
  expect(readChoice(["c", "a"])).toEqual({ action_ids: ["c", "a"] });
});
