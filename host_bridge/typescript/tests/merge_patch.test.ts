import { describe, expect, it } from "vitest";
import { diffStates, type JsonObject, mergePatch } from "../src/index.js";

describe("mergePatch", () => {
  // The examples of RFC 7396, appendix A, whose target and patch are objects.
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: "b" }, { a: "c" }, { a: "c" }],
    [{ a: "b" }, { b: "c" }, { a: "b", b: "c" }],
    [{ a: "b" }, { a: null }, {}],
    [{ a: "b", b: "c" }, { a: null }, { b: "c" }],
    [{ a: ["b"] }, { a: "c" }, { a: "c" }],
    [{ a: "c" }, { a: ["b"] }, { a: ["b"] }],
    [{ a: { b: "c" } }, { a: { b: "d", c: null } }, { a: { b: "d" } }],
    [{ a: [{ b: "c" }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])("%j with %j is %j", (state, patch, expected) => {
    const before = structuredClone([state, patch]);
    expect(mergePatch(state, patch)).toEqual(expected);
    expect([state, patch]).toEqual(before);
  });

  it("shares what did not change", () => {
    const state = { kept: { deep: [1] }, changed: { a: 1 } };
    expect(mergePatch(state, { changed: { a: 2 } })["kept"]).toBe(state.kept);
  });

  it("lets no key reach a prototype, at any depth", () => {
    const patch: JsonObject = JSON.parse(
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"toString":"mine","a":{"__proto__":{"polluted":1},"b":1}}',
    );
    const merged = mergePatch({ a: {} }, patch);
    expect(Object.keys(merged)).toEqual(["a", "toString"]);
    expect(merged["a"]).toEqual({ b: 1 });
    expect(Object.getPrototypeOf(merged["a"])).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(mergePatch({}, { toString: { a: 1 } })).toEqual({ toString: { a: 1 } });
  });
});

describe("diffStates", () => {
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{}, {}, {}],
    [{ a: 1 }, { a: 1 }, {}],
    [{ a: 1 }, { b: 1 }, { a: null, b: 1 }],
    [{ a: { b: 1, c: [1, { d: null }] } }, { a: { b: 1, c: [1, { d: null }] } }, {}],
    [{ a: { b: 1, c: 2 } }, { a: { b: 1 } }, { a: { c: null } }],
    [{ a: [1, 2] }, { a: [1, 3] }, { a: [1, 3] }],
    [{ a: [1, { x: 1 }] }, { a: [1, { y: 1 }] }, { a: [1, { y: 1 }] }],
    [{ a: {} }, { a: [] }, { a: [] }],
    [{ a: 1 }, { a: { b: 1 } }, { a: { b: 1 } }],
    [{}, { toString: 1 }, { toString: 1 }],
  ])("from %j to %j is %j", (from, to, expected) => {
    expect(diffStates(from, to)).toEqual(expected);
    expect(mergePatch(from, diffStates(from, to))).toEqual(to);
  });
});
