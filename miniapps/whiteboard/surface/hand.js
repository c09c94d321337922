// @ts-check
"use strict";

/**
 * What a hand does on the paper with the tool it holds, be it a pointer's or the keyboard's: begin, move, end.
 *
 * @typedef {{tool: string, color: string, width: number}} Held
 */
class Hand {
  /** @type {{id: string, stroke: Stroke, savedAt: number} | null} */
  #line = null;
  /** @type {Set<string> | null} */
  #rubbed = null;
  #drawing;
  #held;
  #write;

  /** How often a long line is saved while it is still drawn, in milliseconds. */
  static SAVE_EVERY = 1000;
  /** How far from a line the eraser reaches, in units of the board. */
  static REACH = 8;

  /**
   * @param {Drawing} drawing
   * @param {() => Held} held what is chosen now
   * @param {(x: number, y: number) => void} write begins a text
   */
  constructor(drawing, held, write) {
    this.#drawing = drawing;
    this.#held = held;
    this.#write = write;
  }

  get isDown() {
    return this.#line !== null || this.#rubbed !== null;
  }

  /** @param {number} x @param {number} y @param {number} [pressure] @param {number} [reach] */
  begin(x, y, pressure, reach = Hand.REACH) {
    const { tool, color, width } = this.#held();
    if (tool === "text") {
      this.#write(x, y);
    } else if (tool === "eraser") {
      this.#rubbed = new Set();
      this.#rub(x, y, reach);
    } else {
      const order = Strokes.nextOrder(this.#drawing.strokes);
      const stroke = { points: [Strokes.point(x, y, pressure)], color, width, order };
      this.#line = { id: Strokes.newId(), stroke, savedAt: performance.now() };
      this.#drawing.preview(this.#line.id, stroke);
    }
  }

  /** @param {number} x @param {number} y @param {number} [pressure] @param {number} [reach] */
  move(x, y, pressure, reach = Hand.REACH) {
    if (this.#rubbed !== null) this.#rub(x, y, reach);
    if (this.#line === null) return;
    const { id, stroke, savedAt } = this.#line;
    const longer = { ...stroke, points: [...stroke.points, Strokes.point(x, y, pressure)] };
    this.#line.stroke = longer;
    this.#drawing.preview(id, longer);
    if (longer.points.length >= Strokes.MAX_POINTS) {
      this.end();
      this.begin(x, y, pressure);
    } else if (performance.now() - savedAt > Hand.SAVE_EVERY) {
      this.#line.savedAt = performance.now();
      void this.#drawing.save({ [id]: thinned(longer) }).then(() => this.#previewAgain());
    }
  }

  /** Keep the line. */
  end() {
    const line = this.#line;
    this.#line = this.#rubbed = null;
    if (line !== null) void this.#drawing.draw(line.id, thinned(line.stroke));
  }

  /** Drop the line, and what was saved of it. */
  drop() {
    const line = this.#line;
    this.#line = this.#rubbed = null;
    if (line === null) return;
    this.#drawing.preview(line.id, null);
    if (line.id in this.#drawing.strokes) void this.#drawing.save({ [line.id]: null });
  }

  #previewAgain() {
    if (this.#line !== null) this.#drawing.preview(this.#line.id, this.#line.stroke);
  }

  /** @param {number} x @param {number} y @param {number} reach */
  #rub(x, y, reach) {
    const id = Strokes.topmostAt(this.#drawing.strokes, x, y, reach);
    if (id === undefined || this.#rubbed?.has(id)) return;
    this.#rubbed?.add(id);
    void this.#drawing.erase([id]);
  }
}

/** @param {Stroke} stroke @returns {Stroke} */
function thinned(stroke) {
  return { ...stroke, points: Strokes.thin(stroke.points) };
}
