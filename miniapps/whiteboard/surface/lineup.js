// @ts-check
"use strict";

/**
 * The client of a view in its sandboxed frame: the first script of every surface's page.
 *
 * A view holds no token. It says `{lineup: "ready"}` to its parent and is given a MessagePort once; the Host's bridge at
 * the other end adds the token. Over the port go `{id, method, params}` and `{id, result}` or `{id, error}`, and from
 * the Host `{event: "patched" | "context" | "theme" | "locale" | "hello", …}`. A hello is answered with `{hello}`: where
 * a frame loads again, the answer tells that it still shows the document that was given the port.
 *
 * ```js
 * const surface = await LineUp.connect();
 * surface.addEventListener("change", () => draw(surface.state));
 * await surface.emit("save", {n: 1});
 * ```
 *
 * This file is the same in every surface folder; the one to change is miniapps/sdk/surface/lineup.js.
 *
 * @typedef {{[key: string]: any}} JsonObject
 * @typedef {{name: string, media_type: string, byte_size: number, sha256: string, content_base64: string}} Artifact
 */
const LineUp = (() => {
  // These would let a frame talk to the network in spite of its policy. They go before any other script runs.
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "mozRTCPeerConnection", "WebTransport"]) {
    Reflect.deleteProperty(globalThis, name);
    if (name in globalThis) Object.defineProperty(globalThis, name, { value: undefined });
  }

  const FORBIDDEN = new Set(["__proto__", "constructor", "prototype"]);
  const FIRST_RETRY_MS = 50;
  const LAST_RETRY_MS = 1000;

  /** An error answer. `code` is the stable word of a refusal, else JSON-RPC's number as text. */
  class RefusedError extends Error {
    /** @param {{code: number, message: string, data?: JsonObject}} error */
    constructor(error) {
      super(error.message);
      this.name = "RefusedError";
      this.code = String(error.data?.code ?? error.code);
      this.data = error.data ?? {};
    }
  }

  /** @param {unknown} value @returns {value is JsonObject} */
  const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

  /**
   * The state after a JSON Merge Patch (RFC 7396); neither argument is changed.
   * @param {JsonObject} state
   * @param {JsonObject} patch
   * @returns {JsonObject}
   */
  function mergePatch(state, patch) {
    const merged = { ...state };
    for (const [key, value] of Object.entries(patch)) {
      if (FORBIDDEN.has(key)) continue;
      if (value === null) delete merged[key];
      else if (isObject(value)) merged[key] = mergePatch(isObject(merged[key]) ? merged[key] : {}, value);
      else merged[key] = value;
    }
    return merged;
  }

  /** The surface of this frame. Events: `change` (its state), `context`, `theme`, `locale`; `state` is to be read only. */
  class Surface extends EventTarget {
    /** @type {JsonObject} */
    state = {};
    revision = -1;
    /** @type {JsonObject} */
    context = {};
    /** What the Host speaks, as BCP 47 has it; else what the browser does. */
    locale;

    #port;
    #surfaceId;
    #lastId = 0;
    #newest = -1;
    #reading = false;
    /** @type {Map<number, {resolve: (result: any) => void, reject: (error: Error) => void}>} */
    #pending = new Map();

    /** @param {MessagePort} port @param {string | undefined} surfaceId @param {unknown} locale */
    constructor(port, surfaceId, locale) {
      super();
      this.#port = port;
      this.#surfaceId = surfaceId;
      this.locale = localeOf(locale);
      port.onmessage = (message) => this.#hear(message.data);
    }

    /** Read state and context; until then nothing is known. */
    async open() {
      const [read, context] = await Promise.all([this.#call("sdk.surfaces.get"), this.#call("sdk.context.get")]);
      this.context = context;
      this.#take(read.revision, read.state);
      this.#catchUp();
    }

    /** Apply a merge patch to the durable state. @param {JsonObject} patch */
    async update(patch) {
      const { revision } = await this.#call("sdk.surfaces.update", { patch });
      this.#follow(revision, patch);
    }

    /** Put an event into the MiniApp's Inbox. @param {string} event @param {JsonObject} [payload] */
    async emit(event, payload) {
      await this.#call("sdk.surfaces.emit", payload === undefined ? { event } : { event, payload });
    }

    /** Hand in an artifact; its id. @param {Artifact} artifact @returns {Promise<string>} */
    async submit(artifact) {
      return (await this.#call("sdk.surfaces.submit", { artifact })).artifact_id;
    }

    /** Close this surface and lose its state; the MiniApp goes on. */
    async requestClose() {
      await this.#call("sdk.surfaces.requestClose");
    }

    /** @param {string} method @param {JsonObject} [params] @returns {Promise<any>} */
    #call(method, params = {}) {
      const own = this.#surfaceId === undefined || method === "sdk.context.get" ? {} : { surface_id: this.#surfaceId };
      const id = ++this.#lastId;
      return new Promise((resolve, reject) => {
        this.#pending.set(id, { resolve, reject });
        try {
          this.#port.postMessage({ id, method, params: { ...own, ...params } });
        } catch (error) {
          this.#pending.delete(id); // what cannot be cloned is the caller's fault, and known at once
          reject(error);
        }
      });
    }

    /** @param {any} message */
    #hear(message) {
      if (!isObject(message)) return;
      if (message.event === "patched") this.#follow(message.revision, message.patch);
      else if (message.event === "context") this.#tell("context", () => (this.context = message.context));
      else if (message.event === "theme") this.#tell("theme", () => applyTheme(message.theme));
      else if (message.event === "locale") this.#tell("locale", () => (this.locale = localeOf(message.locale)));
      else if (message.event === "hello") this.#port.postMessage({ hello: message.hello });
      else this.#settle(message);
    }

    /** @param {JsonObject} message */
    #settle(message) {
      const pending = this.#pending.get(message.id);
      if (pending === undefined) return;
      this.#pending.delete(message.id);
      if (message.error) pending.reject(new RefusedError(message.error));
      else pending.resolve(message.result);
    }

    /**
     * Patches do not commute: where one in between is not known here, only reading gives the state.
     * @param {number} revision
     * @param {JsonObject} patch
     */
    #follow(revision, patch) {
      this.#newest = Math.max(this.#newest, revision);
      if (revision === this.revision + 1) this.#take(revision, mergePatch(this.state, patch));
      this.#catchUp();
    }

    #catchUp() {
      if (this.#reading || this.revision < 0 || this.revision >= this.#newest) return;
      this.#reading = true;
      this.#call("sdk.surfaces.get")
        .then((read) => {
          if (read.revision > this.revision) this.#take(read.revision, read.state);
          this.#reading = false;
          this.#catchUp();
        })
        .catch(() => {
          this.#reading = false; // the surface is closed: this frame goes with it
        });
    }

    /** @param {number} revision @param {JsonObject} state */
    #take(revision, state) {
      this.#tell("change", () => {
        this.revision = revision;
        this.state = state;
      });
    }

    /** @param {string} type @param {() => void} change */
    #tell(type, change) {
      change();
      this.dispatchEvent(new Event(type));
    }
  }

  /** What the Host wants wins over what the system prefers. @param {unknown} theme */
  function applyTheme(theme) {
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
    else delete document.documentElement.dataset.theme;
  }

  /** @param {unknown} locale @returns {string} */
  function localeOf(locale) {
    return typeof locale === "string" ? locale : (globalThis.navigator?.language ?? "en");
  }

  /**
   * Speak the Host's language, as far as the view knows it; the first catalogue is for everyone else.
   *
   * Texts are put where the page names them: `data-text="key"` for what an element says, `data-label="key"` for its
   * `aria-label`. The document's `lang` says which language it is. All of it follows the Host's choice: what a view
   * writes itself it writes again on `locale`, with the texts that the result of this gives.
   *
   * @param {Surface} surface
   * @param {{[language: string]: {[key: string]: string}}} catalogues
   * @returns {(key: string, values?: {[name: string]: unknown}) => string}
   */
  function speak(surface, catalogues) {
    const languages = Object.keys(catalogues);
    const primary = (/** @type {string} */ tag) => tag.toLowerCase().split("-")[0];
    /** @param {string} key @param {{[name: string]: unknown}} [values] */
    const say = (key, values = {}) => {
      const text = catalogues[document.documentElement.lang]?.[key] ?? key;
      return text.replace(/\{(\w+)\}/g, (hole, name) => String(values[name] ?? hole));
    };
    const write = () => {
      const known = languages.find((one) => primary(one) === primary(surface.locale));
      document.documentElement.lang = known ?? languages[0];
      for (const place of document.querySelectorAll("[data-text]")) {
        place.textContent = say(place.getAttribute("data-text") ?? "");
      }
      for (const place of document.querySelectorAll("[data-label]")) {
        place.setAttribute("aria-label", say(place.getAttribute("data-label") ?? ""));
      }
    };
    surface.addEventListener("locale", write);
    write();
    return say;
  }

  /** Ask the parent for the port, again until it comes: the Host may not listen yet. @returns {Promise<Surface>} */
  function handshake() {
    return new Promise((resolve) => {
      let wait = FIRST_RETRY_MS;
      /** @type {ReturnType<typeof setTimeout>} */
      let timer;
      /** @param {MessageEvent} message */
      const hear = (message) => {
        const [port] = message.ports;
        if (message.source !== parent || message.data?.lineup !== "port" || port === undefined) return;
        removeEventListener("message", hear);
        clearTimeout(timer);
        applyTheme(message.data.theme);
        resolve(new Surface(port, message.data.surface_id, message.data.locale));
      };
      const ask = () => {
        timer = setTimeout(ask, wait);
        wait = Math.min(2 * wait, LAST_RETRY_MS);
        parent.postMessage({ lineup: "ready" }, "*");
      };
      addEventListener("message", hear);
      ask();
    });
  }

  /** @type {Promise<Surface> | undefined} */
  let connected;

  /** The surface, once the Host has given its port and the state is known. @returns {Promise<Surface>} */
  function connect() {
    connected ??= handshake().then(async (surface) => {
      await surface.open();
      return surface;
    });
    return connected;
  }

  return Object.freeze({ connect, mergePatch, speak, RefusedError });
})();
