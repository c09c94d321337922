/** The client of a view: handshake, calls, and a state that follows the Runtime's. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";

const SOURCE = readFileSync(new URL("../../../miniapps/sdk/surface/lineup.js", import.meta.url), "utf8");

/** A frame with the client in it, and the Host's end of its port. */
class Frame {
  readies = 0;
  requests = [];
  #listeners = new Set();
  #port = null;

  constructor(answers = {}) {
    this.answers = { "sdk.surfaces.get": { revision: 1, state: { a: 1 } }, "sdk.context.get": { app_scope: "probe" }, ...answers };
    this.parent = { postMessage: (message, target) => this.#ready(message, target) };
    this.document = { documentElement: { dataset: {} } };
    this.globals = vm.createContext({
      parent: this.parent, document: this.document, setTimeout, clearTimeout, EventTarget, Event,
      addEventListener: (_, listener) => this.#listeners.add(listener),
      removeEventListener: (_, listener) => this.#listeners.delete(listener),
      RTCPeerConnection: class {}, WebTransport: class {}, webkitRTCPeerConnection: class {},
    });
    vm.runInContext(`${SOURCE}\nglobalThis.LineUp = LineUp;`, this.globals);
    this.LineUp = this.globals.LineUp;
  }

  #ready(message, target) {
    assert.deepEqual({ ...message }, { lineup: "ready" });
    assert.equal(target, "*");
    this.readies += 1;
    this.onready?.();
  }

  post(data, { source = this.parent, ports = [] } = {}) {
    for (const listener of this.#listeners) listener({ data, source, ports });
  }

  /** Give the frame its port. */
  givePort(more = { surface_id: "s-1", theme: "dark" }) {
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.onmessage = ({ data }) => {
      if ("hello" in data) return void this.onhello(data.hello);
      this.requests.push([data.method, data.params]);
      const answer = this.answers[data.method];
      if (answer === undefined) return;
      port1.postMessage(answer.error ? { id: data.id, error: answer.error } : { id: data.id, result: answer });
    };
    this.post({ lineup: "port", ...more }, { ports: [port2] });
  }

  send(message) {
    this.#port.postMessage(message);
  }

  close() {
    this.#port?.close();
  }
}

async function connected(t, answers, given) {
  const frame = new Frame(answers);
  t.after(() => frame.close());
  frame.onready = () => { frame.onready = null; frame.givePort(given); };
  const surface = await frame.LineUp.connect();
  return { frame, surface };
}

const changed = (surface, type = "change") => new Promise((resolve) => surface.addEventListener(type, resolve, { once: true }));
const plain = (value) => JSON.parse(JSON.stringify(value));

test("what could reach the network past the policy is gone before any other script", () => {
  const { globals } = new Frame();
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) assert.equal(globals[name], undefined);
});

test("the view knows its state and its context once it is connected", async (t) => {
  const { frame, surface } = await connected(t);
  assert.deepEqual(plain(surface.state), { a: 1 });
  assert.deepEqual(plain(surface.context), { app_scope: "probe" });
  assert.equal(frame.document.documentElement.dataset.theme, "dark");
  assert.deepEqual(plain(frame.requests), [["sdk.surfaces.get", { surface_id: "s-1" }], ["sdk.context.get", {}]]);
  assert.equal(await frame.LineUp.connect(), surface);
});

test("it says ready until a port comes, and takes one from its parent alone", async (t) => {
  const frame = new Frame();
  t.after(() => frame.close());
  const connecting = frame.LineUp.connect();
  const { port1, port2 } = new MessageChannel();
  frame.post({ lineup: "port" }, { source: {}, ports: [port2] });
  frame.post({ lineup: "port" });
  frame.post("noise");
  await new Promise((resolve) => { frame.onready = resolve; });
  assert.ok(frame.readies >= 2);
  frame.onready = null;
  frame.givePort({});
  await connecting;
  assert.deepEqual(plain(frame.requests), [["sdk.surfaces.get", {}], ["sdk.context.get", {}]]);
  port1.close();
});

test("an update, an event and an artifact reach the Runtime", async (t) => {
  const { frame, surface } = await connected(t, {
    "sdk.surfaces.update": { revision: 2 }, "sdk.surfaces.emit": {}, "sdk.surfaces.submit": { artifact_id: "f-1" }, "sdk.surfaces.requestClose": {},
  });
  frame.requests.length = 0;
  await surface.update({ b: 2, a: null });
  assert.deepEqual(plain(surface.state), { b: 2 });
  await surface.emit("save", { n: 1 });
  await surface.emit("close");
  assert.equal(await surface.submit({ name: "a.txt" }), "f-1");
  await surface.requestClose();
  assert.deepEqual(plain(frame.requests), [
    ["sdk.surfaces.update", { surface_id: "s-1", patch: { b: 2, a: null } }],
    ["sdk.surfaces.emit", { surface_id: "s-1", event: "save", payload: { n: 1 } }],
    ["sdk.surfaces.emit", { surface_id: "s-1", event: "close" }],
    ["sdk.surfaces.submit", { surface_id: "s-1", artifact: { name: "a.txt" } }],
    ["sdk.surfaces.requestClose", { surface_id: "s-1" }],
  ]);
});

test("a refusal rejects with its stable code and a fault of the message with its number", async (t) => {
  const refusal = { code: 1000, message: "no", data: { code: "surface_patch_invalid", limit: 1 } };
  const { frame, surface } = await connected(t, { "sdk.surfaces.update": { error: refusal }, "sdk.surfaces.emit": { error: { code: -32602, message: "bad" } } });
  await assert.rejects(surface.update({ a: 2 }), (error) => error instanceof frame.LineUp.RefusedError && error.code === "surface_patch_invalid" && error.data.limit === 1);
  await assert.rejects(surface.emit(""), { code: "-32602" });
  assert.deepEqual(plain(surface.state), { a: 1 });
});

test("what cannot be cloned fails at once and the next message works", async (t) => {
  const { surface } = await connected(t, { "sdk.surfaces.emit": {} });
  await assert.rejects(surface.emit("bad", { f: () => 1 }));
  await surface.emit("good");
});

test("patches of others are followed, old ones ignored, and a gap is read", async (t) => {
  const { frame, surface } = await connected(t);
  let change = changed(surface);
  frame.send({ event: "patched", revision: 2, patch: { b: { c: 1 } } });
  await change;
  assert.deepEqual(plain(surface.state), { a: 1, b: { c: 1 } });
  frame.send({ event: "patched", revision: 2, patch: { a: 9 } });
  frame.answers["sdk.surfaces.get"] = { revision: 5, state: { z: 5 } };
  change = changed(surface);
  frame.send({ event: "patched", revision: 4, patch: { a: 4 } });
  await change;
  assert.equal(surface.revision, 5);
  assert.deepEqual(plain(surface.state), { z: 5 });
});

test("what is patched while the state is being read is not lost", async (t) => {
  const { frame, surface } = await connected(t, {});
  const behind = { revision: 3, state: { n: 3 } };
  frame.answers["sdk.surfaces.get"] = behind;
  let change = changed(surface);
  frame.send({ event: "patched", revision: 3, patch: { n: 3 } });
  frame.send({ event: "patched", revision: 5, patch: { n: 5 } });
  await change;
  frame.answers["sdk.surfaces.get"] = { revision: 5, state: { n: 5 } };
  while (surface.revision < 5) await changed(surface);
  assert.deepEqual(plain(surface.state), { n: 5 });
});

test("context and theme are told", async (t) => {
  const { frame, surface } = await connected(t);
  let told = changed(surface, "context");
  frame.send({ event: "context", context: { state: "background" } });
  await told;
  assert.deepEqual(plain(surface.context), { state: "background" });
  told = changed(surface, "theme");
  frame.send({ event: "theme", theme: "system", locale: "en" });
  await told;
  assert.equal(frame.document.documentElement.dataset.theme, undefined);
});

test("a merge patch is RFC 7396 and never reaches a prototype", () => {
  const { LineUp } = new Frame();
  const merged = (state, patch) => plain(LineUp.mergePatch(state, patch));
  assert.deepEqual(merged({ a: "b", c: { d: "e", f: "g" } }, { a: "z", c: { f: null } }), { a: "z", c: { d: "e" } });
  assert.deepEqual(merged({ a: [1, 2] }, { a: [3] }), { a: [3] });
  assert.deepEqual(merged({ a: 1 }, { a: { b: null, c: 2 } }), { a: { c: 2 } });
  merged({}, JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"polluted": true}}}'));
  assert.equal({}.polluted, undefined);
});

test("a hello over the port is answered over the port", async (t) => {
  const { frame } = await connected(t);
  const answer = new Promise((resolve) => frame.onhello = resolve);
  frame.send({ event: "hello", hello: "n-1" });
  assert.equal(await answer, "n-1");
});

test("the view speaks the Host's language, the nearest that it knows, and follows it", async (t) => {
  const { frame, surface } = await connected(t, {}, { surface_id: "s-1", locale: "zh" });
  const place = element({ "data-text": "hi" });
  const named = element({ "data-label": "hi" });
  frame.document.querySelectorAll = (selector) => (selector === "[data-text]" ? [place] : [named]);
  const say = frame.LineUp.speak(surface, { en: { hi: "Hi {name}" }, "zh-CN": { hi: "你好{name}" } });
  assert.equal(frame.document.documentElement.lang, "zh-CN");
  assert.equal(place.textContent, "你好{name}");
  assert.equal(named.attributes["aria-label"], "你好{name}");
  assert.equal(say("hi", { name: "Ada" }), "你好Ada");
  const follows = changed(surface, "locale");
  frame.send({ event: "locale", locale: "fr-CA" });
  await follows;
  assert.equal(surface.locale, "fr-CA");
  assert.equal(frame.document.documentElement.lang, "en");
  assert.equal(place.textContent, "Hi {name}");
  assert.equal(say("nothing"), "nothing");
});

function element(attributes) {
  return {
    attributes,
    getAttribute: (name) => attributes[name] ?? null,
    setAttribute: (name, value) => { attributes[name] = value; },
  };
}
