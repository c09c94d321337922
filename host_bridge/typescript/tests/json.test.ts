import { describe, expect, it } from "vitest";
import { UnsendableError, writeJson } from "../src/index.js";

describe("writeJson", () => {
  it("writes what JSON.stringify writes where the value is JSON", () => {
    const value = { text: "a\u2028漢😀", list: [1, -0.5, null, true, {}], nested: { key: [] } };
    expect(writeJson(value)).toBe(JSON.stringify(value));
  });

  it("leaves out members that are undefined", () => {
    expect(writeJson({ a: undefined, b: 1 })).toBe('{"b":1}');
  });

  it("keeps a key named __proto__ as plain data", () => {
    expect(writeJson(JSON.parse('{"__proto__":{"polluted":1}}'))).toBe('{"__proto__":{"polluted":1}}');
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
  });

  const cyclic: Record<string, unknown> = {};
  cyclic["self"] = cyclic;
  it.each<[string, unknown]>([
    ["NaN", { n: Number.NaN }],
    ["Infinity", [Number.POSITIVE_INFINITY]],
    ["a function", { f: () => 1 }],
    ["a symbol", [Symbol("s")]],
    ["a bigint", [1n]],
    ["undefined in an array", [undefined]],
    ["undefined", undefined],
    ["a date", { at: new Date(0) }],
    ["a map", new Map()],
    ["an error", new Error("no")],
    ["bytes", new Uint8Array(2)],
    ["a cycle", cyclic],
    ["a lone surrogate", { text: "a\ud800b" }],
    ["a lone surrogate in a key", { "\udc00": 1 }],
  ])("refuses %s", (_, value) => {
    expect(() => writeJson(value)).toThrow(UnsendableError);
  });

  it("counts depth as the Runtime does", () => {
    const nest = (depth: number): unknown => (depth === 0 ? 1 : [nest(depth - 1)]);
    expect(writeJson(nest(64))).toHaveLength(129);
    expect(() => writeJson(nest(65))).toThrow("nested over 64 levels");
  });

  it("bounds the size in bytes of UTF-8", () => {
    expect(writeJson("漢漢", { maxBytes: 8 })).toBe('"漢漢"');
    expect(() => writeJson("漢漢漢", { maxBytes: 8 })).toThrow("over 8 bytes");
  });

  it("gives up on shared parts that would be written out without end", () => {
    let value: unknown = "x";
    for (let level = 0; level < 40; level += 1) value = [value, value];
    expect(() => writeJson(value, { maxBytes: 1_000_000 })).toThrow(UnsendableError);
  });
});
