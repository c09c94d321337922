import type { JsonObject, JsonValue } from "./contract.js";
import { isObject } from "./json.js";

/** Keys that would reach an object's prototype. The Runtime refuses them; here they are passed over (C14). */
const FORBIDDEN_KEYS: ReadonlySet<string> = new Set(["__proto__", "constructor", "prototype"]);

/** The state after a JSON Merge Patch (RFC 7396). Neither argument is changed; what did not change is shared. */
export function mergePatch(state: Readonly<JsonObject>, patch: Readonly<JsonObject>): JsonObject {
  const merged: JsonObject = { ...state };
  for (const [key, value] of Object.entries(patch)) {
    if (FORBIDDEN_KEYS.has(key)) continue;
    const before = merged[key];
    if (value === null) delete merged[key];
    else if (isObject(value)) merged[key] = mergePatch(isObject(before) ? before : {}, value);
    else merged[key] = value;
  }
  return merged;
}

/** The patch that makes `to` of `from`, both of them states: objects in which no member is null. */
export function diffStates(from: Readonly<JsonObject>, to: Readonly<JsonObject>): JsonObject {
  const patch: JsonObject = {};
  for (const key of Object.keys(from)) {
    if (!Object.hasOwn(to, key)) patch[key] = null;
  }
  for (const [key, after] of Object.entries(to)) {
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    if (before === after) continue;
    if (isObject(before) && isObject(after)) {
      const inner = diffStates(before, after);
      if (Object.keys(inner).length > 0) patch[key] = inner;
    } else if (before === undefined || !equal(before, after)) patch[key] = after;
  }
  return patch;
}

function equal(one: JsonValue, other: JsonValue): boolean {
  if (one === other) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((part, index) => equal(part, other[index] ?? null));
  }
  if (!isObject(one) || !isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && equal(one[key] as JsonValue, other[key] as JsonValue))
  );
}
