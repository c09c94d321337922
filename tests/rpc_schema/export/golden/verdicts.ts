// Values, and what the models say of them. Written by tests/rpc_schema/export/test_typescript.py.
import type { JsonObject, JsonValue } from "../../../../rpc_schema/generated/lineup";

/** What has a default may be left out when it is read, and is there when it is sent. */
export type Chat = {
  kind: "chat";
  /** minimum 1, maximum 9 */
  n: number;
};

/** What has a default may be left out when it is read, and is there when it is sent. */
export type ChatInput = {
  /** default "chat" */
  kind?: "chat";
  /** minimum 1, maximum 9, default 3 */
  n?: number;
};

/** An object without fields. */
export type Empty = Record<string, never>;

/** What may be absent and what may be null. */
export type Four = {
  a: string;
  b: string | null;
  c?: string;
  d?: string | Gone;
};

/** Null: what the field would tell of is gone. An absent field says nothing of it. */
export type Gone = null;

/**
 * x *\/ export const pwn = 1; /*
 * // next line ` ${1}   @deprecated *\/
 */
export type Hostile = {
  "a-b": string;
  "a\"b": "*/" | "a\"b" | "`${1}" | "\\" | "\u2028";
  "1x": number;
  "a\nb": number;
  class: number;
  "\u540d": number;
};

/** A member of a tagged union. */
export type InputForm = {
  "$type": "input-form";
  values: { [key: string]: string | number };
};

/** Another. */
export type Notice = {
  "$type": "notice";
  rows: Array<boolean | null>;
};

/** More fields may come. */
export type Open = {
  n: number;
  chat?: Chat;
  [more: string]: unknown;
};

/** More fields may come. */
export type OpenInput = {
  n: number;
  chat?: ChatInput;
  [more: string]: unknown;
};

/** Values of any shape, in places of every kind. */
export type Places = {
  free: JsonValue;
  more: JsonObject;
  nothing: Empty;
};

export type Tagged = InputForm | Notice;

export const four0: Four = {"a": "x", "b": "x", "c": "x", "d": "x"};
// @ts-expect-error
export const four1: Four = {"a": null, "b": "x", "c": "x", "d": "x"};
export const four2: Four = {"a": "x", "b": null, "c": "x", "d": "x"};
// @ts-expect-error
export const four3: Four = {"a": "x", "b": "x", "c": null, "d": "x"};
export const four4: Four = {"a": "x", "b": "x", "c": "x", "d": null};
// @ts-expect-error
export const four5: Four = {"b": "x", "c": "x", "d": "x"};
// @ts-expect-error
export const four6: Four = {"a": "x", "c": "x", "d": "x"};
export const four7: Four = {"a": "x", "b": "x", "d": "x"};
export const four8: Four = {"a": "x", "b": "x", "c": "x"};
// @ts-expect-error
export const four9: Four = {"a": "x", "b": "x", "c": "x", "d": "x", "e": "x"};
export const chatinput0: ChatInput = {};
export const chatinput1: ChatInput = {"kind": "chat"};
export const chatinput2: ChatInput = {"n": 4};
// @ts-expect-error
export const chatinput3: ChatInput = {"n": null};
// @ts-expect-error
export const chatinput4: ChatInput = {"n": "4"};
// @ts-expect-error
export const chatinput5: ChatInput = {"n": true};
// @ts-expect-error
export const chatinput6: ChatInput = {"kind": "talk"};
export const hostile0: Hostile = {"a-b": "x", "a\"b": "*/", "1x": 1, "a\nb": 1, "class": 1, "\u540d": 1};
export const hostile1: Hostile = {"a-b": "x", "a\"b": "\u2028", "1x": 1, "a\nb": 1, "class": 1, "\u540d": 1};
// @ts-expect-error
export const hostile2: Hostile = {"a-b": "x", "a\"b": "x", "1x": 1, "a\nb": 1, "class": 1, "\u540d": 1};
// @ts-expect-error
export const hostile3: Hostile = {"a-b": "x", "a\"b": "*/", "1x": 1, "a\nb": 1, "class": 1, "\u540d": 1, "pwn": 1};
export const openinput0: OpenInput = {"n": 1};
export const openinput1: OpenInput = {"n": 1, "chat": {}, "m": [null]};
// @ts-expect-error
export const openinput2: OpenInput = {"n": "1"};
// @ts-expect-error
export const openinput3: OpenInput = {"n": 1, "chat": null};
// @ts-expect-error
export const openinput4: OpenInput = {"m": 1};
export const tagged0: Tagged = {"$type": "input-form", "values": {"a": "x", "b": 1.5}};
// @ts-expect-error
export const tagged1: Tagged = {"$type": "input-form", "values": {"a": true}};
// @ts-expect-error
export const tagged2: Tagged = {"$type": "input_form", "values": {}};
// @ts-expect-error
export const tagged3: Tagged = {"$type": "notice", "values": {}};
export const tagged4: Tagged = {"$type": "notice", "rows": [true, null]};
// @ts-expect-error
export const tagged5: Tagged = {"$type": "notice", "rows": [1]};
// @ts-expect-error
export const tagged6: Tagged = {"values": {}};
export const places0: Places = {"free": [1, {"a": null}], "more": {"a": [true]}, "nothing": {}};
export const places1: Places = {"free": null, "more": {}, "nothing": {}};
// @ts-expect-error
export const places2: Places = {"free": 1, "more": [], "nothing": {}};
// @ts-expect-error
export const places3: Places = {"free": 1, "more": {}, "nothing": {"a": 1}};
// @ts-expect-error
export const places4: Places = {"free": 1, "more": {}, "nothing": null};
// @ts-expect-error
export const places5: Places = {"more": {}, "nothing": {}};

// As sent, nothing is left out.
// @ts-expect-error
export const sent: Chat = {};
