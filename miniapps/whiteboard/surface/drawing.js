// @ts-check
"use strict";

/**
 * The drawing as it is to be seen: the durable strokes with what was done here and is not answered yet on top.
 *
 * @typedef {{[id: string]: Stroke | null}} Changes strokes by id; null takes one away
 * @typedef {{state: {strokes?: {[id: string]: any}}, update: (patch: {strokes: Changes}) => Promise<void>}} Board
 */
class Drawing extends EventTarget {
  /** @type {Map<string, Stroke | null>} */
  #ahead = new Map();
  /** @type {{undo: Changes, redo: Changes}[]} */
  #done = [];
  /** @type {{undo: Changes, redo: Changes}[]} */
  #undone = [];
  #board;

  static HISTORY = 200;

  /** Events: `change` (something else is to be seen), `refused` (its `detail` is the error). @param {Board} board */
  constructor(board) {
    super();
    this.#board = board;
  }

  get canUndo() {
    return this.#done.length > 0;
  }

  get canRedo() {
    return this.#undone.length > 0;
  }

  /** All strokes to be seen, by id. @returns {{[id: string]: Stroke}} */
  get strokes() {
    const seen = { ...this.#board.state.strokes };
    for (const [id, stroke] of this.#ahead) {
      if (stroke === null) delete seen[id];
      else seen[id] = stroke;
    }
    return seen;
  }

  /** Show a stroke that is still being drawn. @param {string} id @param {Stroke | null} stroke */
  preview(id, stroke) {
    if (stroke === null) this.#ahead.delete(id);
    else this.#ahead.set(id, stroke);
    this.dispatchEvent(new Event("change"));
  }

  /** Keep a stroke that was drawn; its preview ends. @param {string} id @param {Stroke} stroke */
  async draw(id, stroke) {
    await this.#act({ [id]: null }, { [id]: stroke });
  }

  /** Take strokes away. @param {string[]} ids */
  async erase(ids) {
    const seen = this.strokes;
    const known = ids.filter((id) => id in seen);
    if (known.length === 0) return;
    await this.#act(
      Object.fromEntries(known.map((id) => [id, seen[id]])),
      Object.fromEntries(known.map((id) => [id, null])),
    );
  }

  /** Do something that can be undone: seen at once, kept once the Runtime has it. @param {Changes} undo @param {Changes} redo */
  async #act(undo, redo) {
    const step = { undo, redo };
    this.#done.push(step);
    if (this.#done.length > Drawing.HISTORY) this.#done.shift();
    this.#undone = [];
    if (!(await this.save(redo))) this.#done = this.#done.filter((other) => other !== step);
  }

  async undo() {
    const step = this.#done.pop();
    if (step === undefined) return;
    this.#undone.push(step);
    await this.save(step.undo);
  }

  async redo() {
    const step = this.#undone.pop();
    if (step === undefined) return;
    this.#done.push(step);
    await this.save(step.redo);
  }

  /** Send changes without a way back; whether they were taken. @param {Changes} changes @returns {Promise<boolean>} */
  async save(changes) {
    for (const [id, stroke] of Object.entries(changes)) this.#ahead.set(id, stroke);
    this.dispatchEvent(new Event("change"));
    try {
      await this.#board.update({ strokes: changes });
      return true;
    } catch (error) {
      this.dispatchEvent(new CustomEvent("refused", { detail: error }));
      return false;
    } finally {
      // unless something newer was done to it meanwhile, the durable state speaks for a stroke from now on
      for (const [id, stroke] of Object.entries(changes)) if (this.#ahead.get(id) === stroke) this.#ahead.delete(id);
      this.dispatchEvent(new Event("change"));
    }
  }
}
