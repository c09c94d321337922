import { describe, expect, it } from "vitest";
import { checkAnswer, checkField, countCharacters, fits, isRefusal, UnsendableError } from "../../src/index.js";
import { Agent, PEER } from "../agent.js";
import { startSession } from "../sidecar.js";
import { ROWS } from "./answers_table.js";

describe("checkAnswer", () => {
  it.each(ROWS)("$title", ({ request, result, fits: expected }) => {
    expect(checkAnswer(request, result).length === 0).toBe(expected);
    expect(fits(request, result)).toBe(expected);
  });

  it("comes to the verdict of the real Runtime, for every row", async () => {
    const { client } = await startSession();
    const agent = new Agent(client);
    await client.call("workspace.open", PEER);
    const ask = async ({ kind, ...input }: (typeof ROWS)[number]["request"]) => {
      const { call_id } = await agent.invoke(`interaction.${kind}`, input);
      const { items } = await client.call("renderer.list", { conversation_id: PEER.conversation_id });
      return items.find(({ record }) => record.call_id === call_id)?.record.interaction_id ?? "";
    };
    const open = new Map<object, string>();
    const verdicts: Array<[string, boolean]> = [];
    for (const { title, request, result } of ROWS) {
      const interaction_id = open.get(request) ?? (await ask(request));
      open.set(request, interaction_id);
      try {
        await client.call("renderer.submit", { interaction_id, result: result as never });
        open.delete(request);
        verdicts.push([title, true]);
      } catch (error) {
        if (!isRefusal(error, "interaction_result_invalid") && !(error instanceof UnsendableError)) throw error;
        verdicts.push([title, false]);
      }
    }
    expect(verdicts).toEqual(ROWS.map(({ title, request, result }) => [title, fits(request, result)]));
  });

  it("names the place of each fault", () => {
    const request = ROWS.find(({ title }) => title === "input: too short")?.request;
    expect(request && checkAnswer(request, { values: { code: "1", age: 99, other: 1 } })).toEqual([
      { path: "values.other", message: "is no field of this form" },
      { path: "values.name", message: "is required" },
      { path: "values.code", message: "must be at least 2 characters" },
      { path: "values.age", message: "must be at most 10.5" },
    ]);
  });
});

it("counts characters as code points", () => {
  expect(["", "abc", "漢字", "😀", "👩‍👦", "e\u0301"].map(countCharacters)).toEqual([0, 3, 2, 1, 3, 2]);
});

it("checks one field by itself", () => {
  const field = { id: "n", label: "N", type: "number", minimum: 2 } as const;
  expect(checkField(field, 1)).toEqual([{ path: "values.n", message: "must be at least 2" }]);
  expect(checkField(field, 2)).toEqual([]);
});
