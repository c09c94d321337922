// @ts-check
"use strict";

/**
 * The drawing as it is to be seen: the durable strokes with what was done here and is not answered yet on top.
 *
 * @typedef {{[id: string]: Stroke | null}} Changes strokes by id; null takes one away
 * @typedef {{state: {strokes?: {[id: string]: any}}, update: (patch: {strokes: Changes}) => Promise<void>}} Board
 * @typedef {{changes: Changes, resolve: () => void, reject: (error: unknown) => void}} Waiting
 */
class Drawing extends EventTarget {
  /** @type {Map<string, Stroke | null>} */
  #ahead = new Map();
  /** @type {{undo: Changes, redo: Changes}[]} */
  #done = [];
  /** @type {{undo: Changes, redo: Changes}[]} */
  #undone = [];
  /** @type {Waiting[]} */
  #waiting = [];
  #sending = false;
  #board;

  static HISTORY = 200;
  /** How many points go in one patch, which may hold 256 KiB. */
  static TOGETHER = 8000;

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
      await this.#send(changes);
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

  /** One patch is on its way at a time: what is done meanwhile goes together in the next. @param {Changes} changes */
  #send(changes) {
    return new Promise((/** @type {(nothing: void) => void} */ resolve, reject) => {
      this.#waiting.push({ changes, resolve, reject });
      if (!this.#sending) void this.#sendAll();
    });
  }

  async #sendAll() {
    this.#sending = true;
    while (this.#waiting.length > 0) await this.#sendTogether(this.#takeTogether());
    this.#sending = false;
  }

  /** Send all that waits now: the page is going. */
  hurry() {
    if (this.#waiting.length > 0) void this.#sendTogether(this.#waiting.splice(0));
  }

  /** Which of them is refused shows when each goes alone. @param {Waiting[]} together */
  async #sendTogether(together) {
    try {
      await this.#board.update({ strokes: Object.assign({}, ...together.map(({ changes }) => changes)) });
      for (const { resolve } of together) resolve();
    } catch (error) {
      if (together.length === 1) together[0].reject(error);
      else for (const one of together) await this.#sendTogether([one]);
    }
  }

  #takeTogether() {
    let points = 0;
    const end = this.#waiting.findIndex(({ changes }, place) => {
      for (const stroke of Object.values(changes)) points += stroke?.points.length ?? 1;
      return place > 0 && points > Drawing.TOGETHER;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end);
  }
}
