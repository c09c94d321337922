// @ts-check
"use strict";

/**
 * The tasks as cards. Everything that is shown comes from the state, and every act is an event to the logic.
 *
 * @typedef {{task_id: string, title: string, state: string, progress: number, note: string, ended: string, order: number}} Task
 */
(async () => {
  const FINISHED = new Set(["completed", "failed", "cancelled"]);

  /** @param {string} id @returns {HTMLElement} */
  const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
  const list = byId("tasks");
  const template = /** @type {HTMLTemplateElement} */ (byId("task"));

  /** @type {Map<string, {item: HTMLElement, shown: Task | undefined}>} */
  const cards = new Map();

  const surface = await LineUp.connect();
  const say = LineUp.speak(surface, TEXTS);
  surface.addEventListener("change", draw);
  surface.addEventListener("locale", () => {
    byId("live").textContent = ""; // news in the other language is none
    draw();
    tellLanguage();
  });
  byId("close").addEventListener("click", () => tell("close"));
  draw();
  tellLanguage();
  list.parentElement?.removeAttribute("aria-busy");

  function draw() {
    /** @type {[string, Task][]} */
    const tasks = Object.entries(surface.state.tasks ?? {});
    tasks.sort(([, a], [, b]) => Number(FINISHED.has(a.state)) - Number(FINISHED.has(b.state)) || b.order - a.order);
    byId("empty").hidden = tasks.length > 0;
    const left = new Set(cards.keys());
    const focused = /** @type {HTMLElement | null} */ (document.activeElement);
    tasks.forEach(([key, task], place) => {
      left.delete(key);
      const card = cards.get(key) ?? addCard(key);
      fill(card, task);
      if (list.children[place] !== card.item) list.insertBefore(card.item, list.children[place] ?? null);
    });
    for (const key of left) removeCard(key);
    if (focused?.isConnected) focused.focus({ preventScroll: true }); // a card that moves loses it
    else byId("close").focus();
    drawNotice();
  }

  function drawNotice() {
    const asks = Object.values(surface.state.asking ?? {}).length > 0;
    const { notice } = surface.state;
    const text = notice ? say(`notice.${notice}`) : asks ? say("asks") : "";
    if (byId("notice").textContent !== text) byId("notice").textContent = text;
  }

  /** @param {string} key */
  function addCard(key) {
    const copy = /** @type {DocumentFragment} */ (template.content.cloneNode(true));
    const card = { item: /** @type {HTMLElement} */ (copy.firstElementChild), shown: undefined };
    part(card.item, ".write").addEventListener("click", () => tell("note", { task: key }));
    cards.set(key, card);
    return card;
  }

  /** @param {string} key */
  function removeCard(key) {
    cards.get(key)?.item.remove();
    cards.delete(key);
  }

  /** @param {{item: HTMLElement, shown: Task | undefined}} card @param {Task} task */
  function fill(card, task) {
    const { item, shown } = card;
    const percent = `${Math.round(task.progress)} %`;
    const state = say(`state.${task.state}`);
    const ended = task.ended ? say(`ended.${task.ended}`) : "";
    item.dataset.state = task.state;
    part(item, "h2").textContent = task.title;
    part(item, ".state").textContent = state;
    part(item, ".percent").textContent = percent;
    part(item, ".ended").textContent = ended;
    part(item, ".ended").hidden = ended === "";
    part(item, ".note").textContent = task.note;
    part(item, ".note").hidden = task.note === "";
    part(item, ".write").textContent = say("write");
    part(item, ".write").setAttribute("aria-label", say("write-for", task));
    const bar = /** @type {HTMLProgressElement} */ (part(item, "progress"));
    bar.value = task.progress;
    bar.setAttribute("aria-label", say("progress", task));
    bar.setAttribute("aria-valuetext", percent);
    if (shown && (shown.state !== task.state || shown.note !== task.note)) {
      byId("live").textContent = say("news", { title: task.title, state, percent, note: task.note || ended });
    }
    card.shown = task;
  }

  /** @param {Element} item @param {string} selector @returns {HTMLElement} */
  function part(item, selector) {
    return /** @type {HTMLElement} */ (item.querySelector(selector));
  }

  /** @param {string} event @param {{[key: string]: string}} [payload] */
  async function tell(event, payload) {
    try {
      await surface.emit(event, payload);
    } catch (error) {
      complain(error);
    }
  }

  /** The logic asks its questions in the language of the view. */
  function tellLanguage() {
    const { lang } = document.documentElement;
    if ((surface.state.language ?? "en") !== lang) surface.update({ language: lang }).catch(complain);
  }

  /** @param {unknown} error */
  function complain(error) {
    const { message, code } = /** @type {{message?: string, code?: string}} */ (error);
    byId("notice").textContent = say("fault", { message: message ?? error, code: code ?? "?" });
  }
})().catch((error) => {
  document.body.textContent = `The tasks cannot be shown: ${error instanceof Error ? error.message : error}`;
});
