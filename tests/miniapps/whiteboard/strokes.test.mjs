/** Strokes in the view follow the same rules as those in the logic: the cases are shared. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";

const read = (path) => readFileSync(new URL(path, import.meta.url), "utf8");
const SURFACE = "../../../miniapps/whiteboard/surface/";

const globals = vm.createContext({ crypto, performance, Event, EventTarget, CustomEvent });
vm.runInContext(["strokes.js", "drawing.js", "hand.js"].map((name) => read(SURFACE + name)).join("\n") + "\nObject.assign(globalThis, { Strokes, Drawing, Hand });", globals);
const { Strokes, Drawing, Hand } = globals;
const plain = (value) => JSON.parse(JSON.stringify(value));

for (const [place, { given, kept }] of JSON.parse(read("strokes.json")).entries()) {
  test(`stroke ${place} is kept as the logic keeps it`, () => assert.deepEqual(plain(Strokes.clean(given)), kept));
}

for (const [place, { points, width, paths }] of JSON.parse(read("paths.json")).entries()) {
  test(`path ${place} runs as in the picture that is handed in`, () => {
    assert.deepEqual(plain(Strokes.paths({ points, width }).map((run) => [run.data, run.width])), paths);
  });
}

test("strokes lie in their order and then by their id, and the next lies above", () => {
  const strokes = { b: { points: [[2, 2]], order: 1 }, a: { points: [[1, 1]], order: 1 }, z: { points: [[0, 0]] }, bad: 7 };
  assert.deepEqual(plain(Strokes.inOrder(strokes).map(([id]) => id)), ["z", "a", "b"]);
  assert.equal(Strokes.nextOrder(strokes), 2);
  assert.equal(Strokes.nextOrder({}), 1);
  assert.equal(Strokes.nextOrder(undefined), 1);
});

test("points too close to tell are left out, the ends never", () => {
  const line = [[0, 0], [0.5, 0], [1, 0], [3, 0], [3.1, 0]];
  assert.deepEqual(plain(Strokes.thin(line)), [[0, 0], [3, 0], [3.1, 0]]);
  assert.deepEqual(plain(Strokes.thin([[1, 1]])), [[1, 1]]);
});

test("the topmost stroke at a place is found: lines, dots and texts", () => {
  const strokes = {
    line: { points: [[0, 0], [100, 0]], width: 4, order: 1, color: "#000000" },
    dot: { points: [[50, 0]], width: 4, order: 2, color: "#000000" },
    text: { points: [[200, 100]], width: 5, order: 3, color: "#000000", text: "hello" },
  };
  assert.equal(Strokes.topmostAt(strokes, 50, 3, 2), "dot");
  assert.equal(Strokes.topmostAt(strokes, 80, 4, 2), "line");
  assert.equal(Strokes.topmostAt(strokes, 80, 5, 2), undefined);
  assert.equal(Strokes.topmostAt(strokes, 220, 80, 2), "text");
});

test("ids differ", () => {
  assert.equal(new Set(Array.from({ length: 1000 }, Strokes.newId)).size, 1000);
  assert.match(Strokes.newId(), /^s[0-9a-f]{18}$/);
});

/** A board whose answers wait until they are let through, one by one. */
class Board {
  state = { strokes: {} };
  sent = [];
  #waiting = [];

  update({ strokes }) {
    this.sent.push(plain(strokes));
    return new Promise((resolve, reject) => this.#waiting.push({ strokes, resolve, reject }));
  }

  async answer(error) {
    const { strokes, resolve, reject } = this.#waiting.shift();
    if (error) reject(error);
    else {
      const entries = Object.entries({ ...this.state.strokes, ...strokes }).filter(([, stroke]) => stroke !== null);
      this.state = { strokes: Object.fromEntries(entries) };
      resolve();
    }
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const stroke = (x, more = {}) => ({ points: [[x, x]], color: "#000000", width: 4, order: x, ...more });

test("what is drawn is seen at once, before the Runtime has it, and kept after", async () => {
  const board = new Board();
  const drawing = new Drawing(board);
  const drawn = drawing.draw("a", stroke(1));
  assert.deepEqual(Object.keys(drawing.strokes), ["a"]);
  await board.answer();
  await drawn;
  assert.deepEqual(Object.keys(drawing.strokes), ["a"]);
  board.state = { strokes: {} };
  assert.deepEqual(Object.keys(drawing.strokes), [], "the durable state speaks from then on");
});

test("undo and redo go back and forth, also before the answer", async () => {
  const board = new Board();
  const drawing = new Drawing(board);
  void drawing.draw("a", stroke(1));
  void drawing.erase(["a", "unknown"]);
  assert.deepEqual(Object.keys(drawing.strokes), []);
  void drawing.undo();
  assert.deepEqual(Object.keys(drawing.strokes), ["a"]);
  void drawing.undo();
  assert.deepEqual(Object.keys(drawing.strokes), []);
  assert.ok(drawing.canRedo && !drawing.canUndo);
  void drawing.redo();
  for (let n = 0; n < 2; n += 1) await board.answer();
  assert.deepEqual(board.sent.map((patch) => patch.a && "drawn"), ["drawn", "drawn"]);
  assert.deepEqual(Object.keys(drawing.strokes), ["a"]);
});

test("one patch is on its way at a time, and what is done meanwhile goes together in the next", async () => {
  const board = new Board();
  const drawing = new Drawing(board);
  for (const id of ["a", "b", "c"]) void drawing.draw(id, stroke(1));
  assert.deepEqual(board.sent.map(Object.keys), [["a"]]);
  assert.deepEqual(Object.keys(drawing.strokes), ["a", "b", "c"]);
  await board.answer();
  assert.deepEqual(board.sent.map(Object.keys), [["a"], ["b", "c"]]);
  await board.answer();
  void drawing.draw("d", stroke(1));
  assert.deepEqual(board.sent.map(Object.keys), [["a"], ["b", "c"], ["d"]]);
});

test("a patch holds no more than it may, and where one is refused the others are kept", async () => {
  const board = new Board();
  const drawing = new Drawing(board);
  const long = { ...stroke(1), points: Array.from({ length: 5000 }, () => [1, 1]) };
  const kept = ["a", "b", "c"].map((id) => drawing.save({ [id]: id === "a" ? stroke(1) : long }));
  await board.answer();
  assert.deepEqual(board.sent.map(Object.keys), [["a"], ["b"]]);
  await board.answer();
  await board.answer();
  assert.deepEqual(await Promise.all(kept), [true, true, true]);
  const more = ["d", "e", "f"].map((id) => drawing.save({ [id]: stroke(1) }));
  await board.answer();
  await board.answer(new Error("full"));
  await board.answer(new Error("full"));
  await board.answer();
  assert.deepEqual(await Promise.all(more), [true, false, true]);
  assert.deepEqual(Object.keys(drawing.strokes), ["a", "b", "c", "d", "f"]);
});

test("what waits goes at once where the page goes", () => {
  const board = new Board();
  const drawing = new Drawing(board);
  for (const id of ["a", "b", "c"]) void drawing.draw(id, stroke(1));
  drawing.hurry();
  drawing.hurry();
  assert.deepEqual(board.sent.map(Object.keys), [["a"], ["b", "c"]]);
});

test("what is refused is seen no more, is told, and cannot be undone", async () => {
  const board = new Board();
  const drawing = new Drawing(board);
  const refused = new Promise((resolve) => drawing.addEventListener("refused", (event) => resolve(event.detail)));
  void drawing.draw("a", stroke(1));
  await board.answer(new Error("full"));
  assert.equal((await refused).message, "full");
  assert.deepEqual(Object.keys(drawing.strokes), []);
  assert.equal(drawing.canUndo, false);
});

test("a hand draws a line that is one step to undo", async () => {
  const board = new Board();
  const drawing = new Drawing(board);
  const hand = new Hand(drawing, () => ({ tool: "pen", color: "#112233", width: 3 }), () => assert.fail());
  hand.begin(0, 0, 0.5);
  hand.move(10, 10, 0.7);
  hand.move(20, 5, 0.7);
  assert.ok(hand.isDown);
  assert.deepEqual(plain(Object.values(drawing.strokes)), [{ points: [[0, 0, 0.5], [10, 10, 0.7], [20, 5, 0.7]], color: "#112233", width: 3, order: 1 }]);
  hand.end();
  await board.answer();
  assert.equal(Object.keys(board.state.strokes).length, 1);
  void drawing.undo();
  await board.answer();
  assert.deepEqual(board.state.strokes, {});
});

test("a line that is dropped leaves nothing, and a text and an eraser draw nothing", async () => {
  const board = new Board();
  const drawing = new Drawing(board);
  const held = { tool: "pen", color: "#112233", width: 3 };
  const places = [];
  const hand = new Hand(drawing, () => held, (x, y) => places.push([x, y]));
  hand.begin(0, 0);
  hand.drop();
  assert.deepEqual(board.sent, []);
  assert.deepEqual(plain(drawing.strokes), {});
  held.tool = "text";
  hand.begin(7, 8);
  assert.deepEqual(places, [[7, 8]]);
  board.state = { strokes: { a: stroke(5), b: stroke(500) } };
  held.tool = "eraser";
  hand.begin(500, 500);
  hand.move(5, 5);
  hand.move(5, 5);
  hand.end();
  assert.deepEqual(plain(drawing.strokes), {});
  await board.answer();
  assert.deepEqual(board.sent, [{ b: null }, { a: null }]);
});

test("a line longer than one stroke may be goes on as the next", () => {
  const drawing = new Drawing(new Board());
  const hand = new Hand(drawing, () => ({ tool: "pen", color: "#112233", width: 3 }), () => assert.fail());
  hand.begin(0, 0);
  for (let n = 1; n < Strokes.MAX_POINTS + 10; n += 1) hand.move(n % 1600, (n * 7) % 1000);
  hand.end();
  const lengths = Object.values(drawing.strokes).map(({ points }) => points.length);
  assert.deepEqual(lengths, [Strokes.MAX_POINTS, 11]);
});
