import type { JsonObject, JsonValue } from "@lineup/host";

/** The schemas that Tools may have: PROTOCOL 10. */
export interface Schema {
  readonly type: "object" | "string" | "number" | "boolean" | "array";
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly enum?: readonly JsonValue[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
}

/** What stands in a form: texts as typed, and the shapes around them. */
export type Draft = string | readonly Draft[] | { readonly [name: string]: Draft };

/** The value that a form stands for; undefined where nothing was filled in. */
export function readDraft(schema: Schema, draft: Draft | undefined): JsonValue | undefined {
  if (Array.isArray(draft)) return listOf(schema, draft);
  if (typeof draft === "object") return objectOf(schema, draft as { readonly [name: string]: Draft });
  if (schema.type === "object") return objectOf(schema, {});
  if (draft === undefined || draft === "" || schema.type === "array") return undefined;
  if (schema.type === "boolean") return draft === "true";
  if (schema.type === "number" && Number.isFinite(Number(draft))) return Number(draft);
  return draft as string; // what is no number goes as it is: the Runtime says what is wrong with it
}

/** The form that a value fills; what a form cannot hold is left out. */
export function openDraft(schema: Schema, value: JsonValue | undefined): Draft {
  if (schema.type === "object") {
    const given = isObject(value) ? value : {};
    const known = Object.entries(schema.properties ?? {}).filter(([name]) => given[name] !== undefined);
    return Object.fromEntries(known.map(([name, part]) => [name, openDraft(part, given[name])]));
  }
  if (schema.type === "array") {
    const { items } = schema;
    return Array.isArray(value) && items ? value.map((part) => openDraft(items, part)) : [];
  }
  return value === undefined || value === null || typeof value === "object" ? "" : String(value);
}

/** A small value that fits, to begin from. */
export function exampleOf(schema: Schema, name = "value", place = 1): JsonValue {
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.type === "boolean") return true;
  if (schema.type === "number") return Math.max(schema.minimum ?? 1, Math.min(1, schema.maximum ?? 1));
  if (schema.type === "array")
    return schema.items ? [exampleOf(schema.items, name, 1), exampleOf(schema.items, name, 2)] : [];
  if (schema.type === "object") return exampleObject(schema, place);
  return exampleText(schema, name, place);
}

function exampleObject({ properties = {}, required = [] }: Schema, place: number): JsonObject {
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => required.includes(name))
      .map(([name, part]) => [name, exampleOf(part, name, place)]),
  );
}

function exampleText({ maxLength = 200, minLength = 0 }: Schema, name: string, place: number): string {
  const words = `${name.replaceAll("_", "-")}-${place}`;
  return words.slice(0, maxLength).padEnd(minLength, "x");
}

function objectOf({ properties = {} }: Schema, draft: { readonly [name: string]: Draft }): JsonObject {
  const filled: JsonObject = {};
  for (const [name, part] of Object.entries(properties)) {
    const value = draft[name] === undefined ? undefined : readDraft(part, draft[name]);
    if (value !== undefined) filled[name] = value;
  }
  return filled;
}

function listOf({ items }: Schema, draft: readonly Draft[]): JsonValue | undefined {
  if (items === undefined || draft.length === 0) return undefined;
  return draft.flatMap((part) => {
    const value = readDraft(items, part);
    return value === undefined ? [] : [value];
  });
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
