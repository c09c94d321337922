// @ts-check
"use strict";

/** The canvas: shows strokes and a cursor, sharp on every screen, and tells where a pointer is on the board. */
class Paper {
  #canvas;
  #pen;
  /** What lies below the topmost stroke, painted once: while a line is drawn only that changes. */
  #ground = document.createElement("canvas");
  /** @type {Stroke[]} */
  #painted = [];
  #scale = 1;
  #asked = false;
  /** @type {[string, Stroke][]} */
  #strokes = [];
  /** @type {{x: number, y: number, down: boolean} | null} */
  #cursor = null;
  /** @type {WeakMap<Stroke, {path: Path2D, width: number}[]>} */
  #paths = new WeakMap();

  static GROUND = "#ffffff";
  static CURSOR = "#c2185b";
  static CURSOR_ARM = 14;

  /** @param {HTMLCanvasElement} canvas */
  constructor(canvas) {
    this.#canvas = canvas;
    this.#pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    new ResizeObserver(() => this.#fit()).observe(canvas);
    this.#fit();
  }

  /** Show these strokes, the last on top. @param {[string, Stroke][]} strokes */
  show(strokes) {
    this.#strokes = strokes;
    this.#ask();
  }

  /** Show where the keyboard draws, or nothing. @param {{x: number, y: number, down: boolean} | null} cursor */
  point(cursor) {
    this.#cursor = cursor;
    this.#ask();
  }

  /** Where on the board a pointer is. @param {{clientX: number, clientY: number}} pointer @returns {[number, number]} */
  locate({ clientX, clientY }) {
    const box = this.#canvas.getBoundingClientRect();
    return [((clientX - box.left) / box.width) * Strokes.WIDTH, ((clientY - box.top) / box.height) * Strokes.HEIGHT];
  }

  /** How many units of the board lie in a pixel of the page. */
  get unit() {
    return Strokes.WIDTH / Math.max(this.#canvas.getBoundingClientRect().width, 1);
  }

  /** As many dots as the screen has under the canvas. */
  #fit() {
    const box = this.#canvas.getBoundingClientRect();
    const width = Math.max(Math.round(box.width * devicePixelRatio), 1);
    this.#canvas.width = this.#ground.width = width;
    this.#canvas.height = this.#ground.height = Math.max(Math.round((width * Strokes.HEIGHT) / Strokes.WIDTH), 1);
    this.#painted = [];
    this.#scale = width / Strokes.WIDTH;
    this.#paint();
  }

  #ask() {
    if (this.#asked) return;
    this.#asked = true;
    requestAnimationFrame(() => {
      this.#asked = false;
      this.#paint();
    });
  }

  #paint() {
    const pen = this.#pen;
    this.#paintGround(this.#strokes.slice(0, -1).map(([, stroke]) => stroke));
    pen.setTransform(1, 0, 0, 1, 0, 0);
    pen.drawImage(this.#ground, 0, 0);
    this.#prepare(pen);
    for (const [, stroke] of this.#strokes.slice(-1)) this.#paintStroke(pen, stroke);
    if (this.#cursor !== null) this.#paintCursor(this.#cursor);
  }

  /** Add what is new on top, or begin anew where something below has changed. @param {Stroke[]} strokes */
  #paintGround(strokes) {
    const pen = /** @type {CanvasRenderingContext2D} */ (this.#ground.getContext("2d"));
    const before = this.#painted;
    const grows = before.length > 0 && before.every((stroke, place) => stroke === strokes[place]);
    this.#prepare(pen);
    if (!grows) {
      pen.fillStyle = Paper.GROUND;
      pen.fillRect(0, 0, Strokes.WIDTH, Strokes.HEIGHT);
    }
    for (const stroke of strokes.slice(grows ? before.length : 0)) this.#paintStroke(pen, stroke);
    this.#painted = strokes;
  }

  /** @param {CanvasRenderingContext2D} pen */
  #prepare(pen) {
    pen.setTransform(this.#scale, 0, 0, this.#scale, 0, 0);
    pen.lineCap = pen.lineJoin = "round";
  }

  /** @param {CanvasRenderingContext2D} pen @param {Stroke} stroke */
  #paintStroke(pen, stroke) {
    const [x, y] = stroke.points[0];
    pen.fillStyle = pen.strokeStyle = stroke.color;
    if (stroke.text !== undefined) {
      pen.font = `${Strokes.textSize(stroke.width)}px sans-serif`;
      pen.fillText(stroke.text, x, y);
    } else if (stroke.points.length === 1) {
      pen.beginPath();
      pen.arc(x, y, stroke.width / 2, 0, 2 * Math.PI);
      pen.fill();
    } else {
      for (const { path, width } of this.#pathsOf(stroke)) {
        pen.lineWidth = width;
        pen.stroke(path);
      }
    }
  }

  /** @param {Stroke} stroke */
  #pathsOf(stroke) {
    const known = this.#paths.get(stroke);
    if (known !== undefined) return known;
    const made = Strokes.paths(stroke).map(({ data, width }) => ({ path: new Path2D(data), width }));
    this.#paths.set(stroke, made);
    return made;
  }

  /** @param {{x: number, y: number, down: boolean}} cursor */
  #paintCursor({ x, y, down }) {
    const pen = this.#pen;
    pen.strokeStyle = pen.fillStyle = Paper.CURSOR;
    pen.lineWidth = 2;
    pen.beginPath();
    pen.moveTo(x - Paper.CURSOR_ARM, y);
    pen.lineTo(x + Paper.CURSOR_ARM, y);
    pen.moveTo(x, y - Paper.CURSOR_ARM);
    pen.lineTo(x, y + Paper.CURSOR_ARM);
    pen.stroke();
    pen.beginPath();
    pen.arc(x, y, Paper.CURSOR_ARM / 2, 0, 2 * Math.PI);
    if (down) pen.fill();
    else pen.stroke();
  }
}
