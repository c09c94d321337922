import { describe, expect, it } from "vitest";
import { LIMITS, SURFACE_METHODS } from "../../src/index.js";
import { readRequest } from "../../src/surface/frame_request.js";

const read = (data: unknown) => readRequest(data, "own");
const update = (params: unknown) => read({ id: 1, method: "sdk.surfaces.update", params });

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

describe("a view's request", () => {
  it("is taken without the surface that it names, where that is its own", () => {
    expect(update({ patch: { a: 1 }, surface_id: "own" })).toEqual({
      id: 1,
      method: "sdk.surfaces.update",
      params: { patch: { a: 1 } },
    });
    expect(read({ id: "x", method: "sdk.context.get" })).toEqual({ id: "x", method: "sdk.context.get", params: {} });
  });

  it("may ask for the methods of a surface, and no other", () => {
    for (const method of SURFACE_METHODS) expect(read({ id: 1, method })).not.toHaveProperty("refusal");
    for (const method of [
      "sdk.tools.complete",
      "workspace.open",
      "ping",
      "rpc.discover",
      "toString",
      "",
      "sdk.surfaces.requestOpen",
    ]) {
      expect(read({ id: 1, method })).toMatchObject({
        id: 1,
        refusal: "method",
        error: { code: 1000, data: { code: "permission_denied" } },
      });
    }
  });

  it.each([
    ["a token", { context_token: "guessed" }],
    ["another surface", { surface_id: "other" }],
    ["no surface, on purpose", { surface_id: null }],
  ])("may not carry %s", (_, params) => {
    expect(update({ patch: {}, ...params })).toMatchObject({ id: 1, refusal: "params", error: { code: -32602 } });
  });

  it.each<[string, unknown, unknown]>([
    ["null", null, null],
    ["text", "ping", null],
    ["a list", [{ id: 1, method: "sdk.context.get" }], null],
    ["a map", new Map([["id", 1]]), null],
    ["without an id", { method: "sdk.context.get" }, null],
    ["with an object as its id", { id: {}, method: "sdk.context.get" }, null],
    ["with an endless id", { id: "x".repeat(65), method: "sdk.context.get" }, null],
    ["with NaN as its id", { id: Number.NaN, method: "sdk.context.get" }, null],
    ["without a method", { id: 7 }, 7],
    ["with a method that is no text", { id: 7, method: 1 }, 7],
    ["with a list of params", { id: 7, method: "sdk.context.get", params: [] }, 7],
    ["with null as params", { id: 7, method: "sdk.context.get", params: null }, 7],
  ])("is malformed where it is %s", (_, data, id) => {
    expect(read(data)).toMatchObject({ id, refusal: "malformed", error: { code: -32600 } });
  });

  it.each<[string, unknown]>([
    ["NaN", Number.NaN],
    ["a date", new Date(0)],
    ["an error", new Error("x")],
    ["bytes", new ArrayBuffer(8)],
    ["a map", new Map()],
    ["a bigint", 1n],
    ["undefined in a list", [undefined]],
    ["a cycle", cyclic],
    ["half a character", "\ud800"],
  ])("is answered where it holds %s (F14)", (_, value) => {
    expect(update({ patch: { value } })).toMatchObject({ id: 1, refusal: "params", error: { code: -32602 } });
  });

  it("is bounded in size, by its method (F14)", () => {
    const text = (bytes: number) => "x".repeat(bytes);
    expect(update({ patch: { text: text(LIMITS.max_patch_bytes - 100) } })).not.toHaveProperty("refusal");
    const large = { refusal: "size", error: { code: 1000, data: { code: "limit_exceeded", limit: "message_bytes" } } };
    expect(update({ patch: { text: text(LIMITS.max_patch_bytes + 5_000) } })).toMatchObject(large);
    const artifact = { content_base64: text(LIMITS.max_artifact_bytes) };
    const submit = (params: object) => read({ id: 1, method: "sdk.surfaces.submit", params });
    expect(submit({ artifact })).not.toHaveProperty("refusal");
    expect(submit({ artifact: { content_base64: text(50_000_000) } })).toMatchObject(large);
  });

  it("gives up early on shared parts that would be written out without end", () => {
    let value: unknown = "x";
    for (let level = 0; level < 50; level += 1) value = [value, value];
    expect(update({ patch: { value } })).toMatchObject({ refusal: "size" });
  });
});
