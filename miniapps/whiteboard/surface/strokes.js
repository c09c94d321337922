// @ts-check
"use strict";

/**
 * Strokes as data: what is drawn, where it is hit, how it is thinned. No page is needed here.
 *
 * The board measures 1600 by 1000. The rules are those of the logic's strokes.py and svg.py, so that what the user
 * sees is what is handed in.
 *
 * @typedef {[number, number] | [number, number, number]} Point
 * @typedef {{points: Point[], color: string, width: number, order: number, text?: string}} Stroke
 */
const Strokes = (() => {
  const WIDTH = 1600;
  const HEIGHT = 1000;
  const MAX_POINTS = 5000;
  const MAX_TEXT = 200;
  const MIN_WIDTH = 0.5;
  const MAX_WIDTH = 64;
  const INK = "#1c2430";
  const DEFAULT_WIDTH = 4;
  const PRESSURE_LEVELS = 8;
  const CLOSEST = 1.5;
  const LETTER_WIDTH = 0.6;

  /** @param {unknown} value @returns {value is number} */
  const isNumber = (value) => typeof value === "number" && Number.isFinite(value);
  /** @param {number} value @param {number} lowest @param {number} highest */
  const within = (value, lowest, highest) => Math.min(Math.max(value, lowest), highest);
  /** @param {number} value */
  const rounded = (value) => Math.round(value * 100) / 100;
  /** @param {number} value */
  const written = (value) => String(rounded(value) || 0);

  /** A point on the board, in hundredths. @param {number} x @param {number} y @param {number} [pressure] @returns {Point} */
  function point(x, y, pressure) {
    const place = /** @type {[number, number]} */ ([rounded(within(x, 0, WIDTH)), rounded(within(y, 0, HEIGHT))]);
    return pressure === undefined ? place : [...place, rounded(within(pressure, 0, 1))];
  }

  /** The stroke that is meant, or null where there is no point to draw at. @param {any} raw @returns {Stroke | null} */
  function clean(raw) {
    if (typeof raw !== "object" || raw === null || !Array.isArray(raw.points)) return null;
    const given = /** @type {Point[]} */ (raw.points.slice(0, MAX_POINTS).filter(isPoint));
    const points = given.map((place) => point(place[0], place[1], place[2]));
    if (points.length === 0) return null;
    const color = typeof raw.color === "string" && /^#[0-9a-f]{6}$/i.test(raw.color) ? raw.color.toLowerCase() : INK;
    const width = isNumber(raw.width) ? within(raw.width, MIN_WIDTH, MAX_WIDTH) : DEFAULT_WIDTH;
    const order = isNumber(raw.order) ? Math.max(raw.order, 0) : 0;
    const text = typeof raw.text === "string" ? raw.text.slice(0, MAX_TEXT).trim() : "";
    return text === "" ? { points, color, width, order } : { points, color, width, order, text };
  }

  /** @param {unknown} given */
  function isPoint(given) {
    return Array.isArray(given) && given.length >= 2 && given.slice(0, 3).every(isNumber);
  }

  /** The strokes from the lowest to the topmost, with their ids. @param {unknown} strokes @returns {[string, Stroke][]} */
  function inOrder(strokes) {
    /** @type {[string, Stroke][]} */
    const cleaned = [];
    for (const [id, raw] of Object.entries(strokes ?? {})) {
      const stroke = cleanOnce(raw);
      if (stroke !== null) cleaned.push([id, stroke]);
    }
    return cleaned.sort(([idA, a], [idB, b]) => a.order - b.order || (idA < idB ? -1 : 1));
  }

  /** @type {WeakMap<object, Stroke | null>} */
  const cleanedBefore = new WeakMap();

  /** A patch leaves the strokes that it does not name as they were, so each is cleaned once. @param {unknown} raw */
  function cleanOnce(raw) {
    if (typeof raw !== "object" || raw === null) return null;
    const known = cleanedBefore.get(raw);
    if (known !== undefined) return known;
    const stroke = clean(raw);
    cleanedBefore.set(raw, stroke);
    return stroke;
  }

  /** One above the topmost. @param {unknown} strokes */
  function nextOrder(strokes) {
    return Math.floor(inOrder(strokes).reduce((highest, [, stroke]) => Math.max(highest, stroke.order), 0)) + 1;
  }

  /**
   * The path data and width of each run of like pressure; curves pass through the middles between points.
   * @param {Stroke} stroke
   * @returns {{data: string, width: number}[]}
   */
  function paths({ points, width }) {
    const runs = [];
    let start = points[0];
    let run = `M${pair(start)}`;
    /** @type {number | undefined} */
    let level;
    points.slice(1).forEach((here, place) => {
      const after = points[place + 2];
      /** @type {Point} */
      const end = after ? [(here[0] + after[0]) / 2, (here[1] + after[1]) / 2] : here;
      const now = here[2] === undefined ? undefined : Math.floor(here[2] * PRESSURE_LEVELS + 0.5);
      if (level !== undefined && now !== level) {
        runs.push({ data: run, width: drawnWidth(width, level) });
        run = `M${pair(start)}`;
      }
      run += after ? `Q${pair(here)} ${pair(end)}` : `L${pair(end)}`;
      start = end;
      level = now;
    });
    runs.push({ data: run, width: drawnWidth(width, level) });
    return runs;
  }

  /** @param {Point} place */
  const pair = (place) => `${written(place[0])} ${written(place[1])}`;
  /** @param {number} width @param {number | undefined} level */
  const drawnWidth = (width, level) => (level === undefined ? width : width * (0.5 + level / PRESSURE_LEVELS));
  /** The height of letters that go with a width. @param {number} width */
  const textSize = (width) => 10 + 6 * width;

  /** Leave out points that lie too close to tell, but never the ends. @param {Point[]} points @returns {Point[]} */
  function thin(points) {
    const kept = points.slice(0, 1);
    points.slice(1, -1).forEach((here) => {
      const last = kept[kept.length - 1];
      if (Math.hypot(here[0] - last[0], here[1] - last[1]) >= CLOSEST) kept.push(here);
    });
    if (points.length > 1) kept.push(points[points.length - 1]);
    return kept.slice(0, MAX_POINTS);
  }

  /** Whether a stroke is touched at a place. @param {Stroke} stroke @param {number} x @param {number} y @param {number} reach */
  function isHit({ points, width, text }, x, y, reach) {
    if (text !== undefined) {
      const [left, base] = points[0];
      const size = textSize(width);
      const right = left + text.length * size * LETTER_WIDTH;
      return x >= left - reach && x <= right + reach && y >= base - size - reach && y <= base + reach;
    }
    const near = reach + width / 2;
    if (points.length === 1) return Math.hypot(x - points[0][0], y - points[0][1]) <= near;
    return points.slice(1).some((end, place) => distance(points[place], end, x, y) <= near);
  }

  /** From a place to a segment. @param {Point} from @param {Point} to @param {number} x @param {number} y */
  function distance(from, to, x, y) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const along = dx === 0 && dy === 0 ? 0 : within(((x - from[0]) * dx + (y - from[1]) * dy) / (dx * dx + dy * dy), 0, 1);
    return Math.hypot(x - from[0] - along * dx, y - from[1] - along * dy);
  }

  /** The topmost stroke at a place. @param {unknown} strokes @param {number} x @param {number} y @param {number} reach */
  function topmostAt(strokes, x, y, reach) {
    return inOrder(strokes).reverse().find(([, stroke]) => isHit(stroke, x, y, reach))?.[0];
  }

  /** An id that no other view makes. */
  function newId() {
    const bytes = crypto.getRandomValues(new Uint8Array(9));
    return `s${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  }

  return Object.freeze({
    WIDTH, HEIGHT, MAX_POINTS, MAX_TEXT, point, clean, inOrder, nextOrder, paths, textSize, thin, topmostAt, newId,
  });
})();
