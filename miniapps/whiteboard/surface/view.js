// @ts-check
"use strict";

/** The page: tools, pointers, keys and what the logic has to say. Nothing here is a standard question. */
(async () => {
  const PALETTE = [
    ["ink", "#1c2430"], ["red", "#c62828"], ["orange", "#e07000"], ["green", "#1d7340"],
    ["blue", "#1f5fbf"], ["violet", "#7038b8"], ["grey", "#707a89"], ["yellow", "#f2c400"],
  ];
  const TOOL_KEYS = new Map([["p", "pen"], ["e", "eraser"], ["t", "text"]]);
  const ARROWS = new Map([["ArrowLeft", [-1, 0]], ["ArrowRight", [1, 0]], ["ArrowUp", [0, -1]], ["ArrowDown", [0, 1]]]);
  const STEP = 20;
  const SMALL_STEP = 1;
  const FINGER = 12;

  /** @template {HTMLElement} T @param {string} id @param {new () => T} type @returns {T} */
  function get(id, type) {
    const found = document.getElementById(id);
    if (!(found instanceof type)) throw new Error(`the page has no ${id}`);
    return found;
  }

  const tools = get("tools", HTMLFormElement);
  const width = get("width", HTMLInputElement);
  const words = get("words", HTMLInputElement);
  const canvas = get("paper", HTMLCanvasElement);
  const status = get("status", HTMLElement);

  addColors();
  const surface = await LineUp.connect();
  const say = LineUp.speak(surface, TEXTS);
  const drawing = new Drawing(surface);
  const paper = new Paper(canvas);
  const hand = new Hand(drawing, held, beginText);
  const cursor = { x: Strokes.WIDTH / 2, y: Strokes.HEIGHT / 2 };
  let byKeyboard = false;

  surface.addEventListener("change", () => (show(), tell()));
  surface.addEventListener("locale", () => (nameColors(), tell(), announce(""), tellLanguage()));
  drawing.addEventListener("change", show);
  drawing.addEventListener("refused", (event) => complain(/** @type {CustomEvent} */ (event).detail));
  tools.addEventListener("submit", (event) => event.preventDefault());
  width.addEventListener("input", () => (get("shown-width", HTMLOutputElement).value = width.value));
  onPress("undo", () => drawing.undo());
  onPress("redo", () => drawing.redo());
  onPress("clear", () => drawing.erase(Object.keys(drawing.strokes)));
  onPress("copy", () => surface.emit("copy"));
  onPress("submit", () => surface.emit("submit"));
  listenToPointers();
  listenToKeys();
  listenToWords();
  nameColors();
  show();
  tell();
  tellLanguage();

  function addColors() {
    const swatches = PALETTE.map(([name, color], place) => {
      const label = document.createElement("label");
      const choice = document.createElement("input");
      Object.assign(choice, { type: "radio", name: "color", value: color, checked: place === 0 });
      choice.dataset.label = name;
      label.style.setProperty("--swatch", color);
      label.append(choice);
      return label;
    });
    get("colors", HTMLElement).append(...swatches);
  }

  function nameColors() {
    for (const choice of document.querySelectorAll("#colors input")) {
      if (choice.parentElement) choice.parentElement.title = choice.getAttribute("aria-label") ?? "";
    }
  }

  /** The logic asks in the language of the view. */
  function tellLanguage() {
    const { lang } = document.documentElement;
    if ((surface.state.language ?? "en") !== lang) surface.update({ language: lang }).catch(complain);
  }

  /** @returns {Held} */
  function held() {
    const chosen = new FormData(tools);
    return { tool: String(chosen.get("tool")), color: String(chosen.get("color")), width: width.valueAsNumber };
  }

  function show() {
    paper.show(Strokes.inOrder(drawing.strokes));
    paper.point(byKeyboard ? { ...cursor, down: hand.isDown } : null);
    // not `disabled`: a button that has the focus would drop it
    get("undo", HTMLButtonElement).setAttribute("aria-disabled", String(!drawing.canUndo));
    get("redo", HTMLButtonElement).setAttribute("aria-disabled", String(!drawing.canRedo));
  }

  function tell() {
    const { title, board_id: named, notice, handed_in: handedIn, clipboard, call_id: awaited } = surface.state;
    get("title", HTMLElement).textContent = named === undefined ? say("name") : String(title);
    const took = handedIn?.by === "agent" ? say("taken-by-agent", handedIn) : say("handed-in");
    const waits = awaited ? say("waits") : "";
    const told = notice ? say(`notice.${notice}`) : "";
    const lines = [told, handedIn ? took : waits, clipboard ? sayCopy(clipboard) : ""].filter(Boolean);
    write(status, lines.join(" · "));
  }

  /** How a copy went; a denial says kindly why. @param {{outcome: string, reason?: string}} clipboard */
  function sayCopy({ outcome, reason }) {
    const key = outcome === "denied" && reason ? `copy.${reason}` : `copy.${outcome}`;
    return key in TEXTS.en ? say(key) : say(outcome === "denied" ? "copy.denied" : "copy.failed");
  }

  /** @param {unknown} error */
  function complain(error) {
    const { message, code } = /** @type {{message?: string, code?: string}} */ (error);
    const values = { message: message ?? error, code: code ?? "?" };
    write(status, code === "surface_patch_invalid" ? say("full") : say("fault", values));
  }

  /** @param {Element} place @param {string} text */
  function write(place, text) {
    if (place.textContent !== text) place.textContent = text;
  }

  /** @param {string} text */
  function announce(text) {
    write(get("live", HTMLElement), text);
  }

  /** @param {string} id @param {() => Promise<void>} act */
  function onPress(id, act) {
    get(id, HTMLButtonElement).addEventListener("click", () => void act().catch(complain));
  }

  // -- pointers

  function listenToPointers() {
    /** @type {number | null} */
    let active = null;
    canvas.addEventListener("pointerdown", (event) => {
      if (active !== null || event.button !== 0) return;
      byKeyboard = false;
      if (held().tool === "text") return;
      active = event.pointerId;
      canvas.setPointerCapture(active);
      hand.begin(...at(event));
    });
    canvas.addEventListener("click", (event) => {
      // not before: while a button goes down, the canvas takes the focus from the field that opens
      if (held().tool === "text") hand.begin(...paper.locate(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      if (event.pointerId !== active) return;
      const finer = event.getCoalescedEvents?.() ?? [];
      for (const move of finer.length > 0 ? finer : [event]) hand.move(...at(move));
    });
    for (const type of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(type, (event) => {
        if (/** @type {PointerEvent} */ (event).pointerId !== active) return;
        active = null;
        hand.end();
      });
    }
    addEventListener("pagehide", () => (hand.end(), drawing.hurry()));
  }

  /** Place, pressure where the device knows one, and reach. @param {PointerEvent} event @returns {[number, number, number | undefined, number]} */
  function at(event) {
    const feels = event.pointerType === "pen" || (event.pointerType === "touch" && ![0, 0.5, 1].includes(event.pressure));
    const reach = event.pointerType === "touch" ? FINGER * paper.unit : Hand.REACH;
    return [...paper.locate(event), feels ? event.pressure : undefined, reach];
  }

  // -- keys

  function listenToKeys() {
    addEventListener("keydown", (event) => {
      if (event.target === words || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      const key = event.key.toLowerCase();
      if (key !== "z" && key !== "y") return;
      event.preventDefault();
      void (key === "y" || event.shiftKey ? drawing.redo() : drawing.undo());
    });
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !press(event)) return;
      event.preventDefault();
      byKeyboard = true;
      show();
    });
    canvas.addEventListener("blur", () => {
      if (!byKeyboard) return;
      hand.end();
      byKeyboard = false;
      show();
    });
  }

  /** Act on a key; false where it means nothing here. @param {KeyboardEvent} event */
  function press({ key, shiftKey, repeat }) {
    const arrow = ARROWS.get(key);
    const tool = TOOL_KEYS.get(key.toLowerCase());
    const color = PALETTE[Number(key) - 1];
    if (arrow) moveCursor(arrow, shiftKey ? SMALL_STEP : STEP);
    else if (key === " " || key === "Enter") repeat || useTool();
    else if (key === "Escape") hand.drop();
    else if (tool) choose("tool", tool);
    else if (color) choose("color", color[1], color[0]);
    else if (key === "+" || key === "-") changeWidth(key === "+" ? 1 : -1);
    else return false;
    return true;
  }

  /** @param {number[]} direction @param {number} step */
  function moveCursor([dx, dy], step) {
    [cursor.x, cursor.y] = Strokes.point(cursor.x + dx * step, cursor.y + dy * step);
    hand.move(cursor.x, cursor.y);
    announce(`${cursor.x}, ${cursor.y}`);
  }

  function useTool() {
    const { tool } = held();
    if (hand.isDown) {
      hand.end();
      announce(say("pen-lifted", cursor));
      return;
    }
    const before = Object.keys(drawing.strokes).length;
    hand.begin(cursor.x, cursor.y);
    if (tool === "eraser") {
      hand.end();
      announce(say(Object.keys(drawing.strokes).length < before ? "erased" : "nothing-erased", cursor));
    } else if (tool === "pen") {
      announce(say("pen-down", cursor));
    }
  }

  /** @param {string} group @param {string} value @param {string} [name] */
  function choose(group, value, name = value) {
    const choice = tools.querySelector(`input[name="${group}"][value="${value}"]`);
    if (choice instanceof HTMLInputElement) choice.checked = true;
    announce(say("chosen", { name: say(name) }));
  }

  /** @param {number} by */
  function changeWidth(by) {
    width.valueAsNumber += by;
    get("shown-width", HTMLOutputElement).value = width.value;
    announce(say("width-now", { n: width.value }));
  }

  // -- texts

  /** Open the field for words where they are to stand. @param {number} x @param {number} y */
  function beginText(x, y) {
    const { color, width: chosen } = held();
    const size = Strokes.textSize(chosen);
    words.hidden = false;
    words.value = "";
    words.dataset.place = JSON.stringify([x, y]);
    words.style.left = `${(x / Strokes.WIDTH) * 100}%`;
    words.style.top = `${((y - size) / Strokes.HEIGHT) * 100}%`;
    words.style.fontSize = `${size / paper.unit}px`;
    words.style.color = color;
    words.focus();
  }

  function listenToWords() {
    words.addEventListener("keydown", (event) => {
      const composing = event.isComposing || event.keyCode === 229; // Enter then confirms a candidate, no more
      if (composing || (event.key !== "Enter" && event.key !== "Escape")) return;
      event.preventDefault();
      event.stopPropagation();
      if (event.key === "Escape") words.value = "";
      canvas.focus(); // the field closes as it loses the focus
    });
    words.addEventListener("blur", () => {
      const text = words.value.trim();
      words.hidden = true;
      words.value = "";
      if (text === "") return;
      const [x, y] = JSON.parse(words.dataset.place ?? "[0,0]");
      const { color, width: chosen } = held();
      const order = Strokes.nextOrder(drawing.strokes);
      void drawing.draw(Strokes.newId(), { points: [Strokes.point(x, y)], color, width: chosen, order, text });
      announce(say("wrote", { text }));
    });
  }
})().catch((error) => {
  document.body.textContent = `The board cannot be shown: ${error instanceof Error ? error.message : error}`;
});
