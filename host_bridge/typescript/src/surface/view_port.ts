import type { SurfaceMethod, SurfaceParams } from "../attached_surfaces.js";
import type { Instance, JsonObject, JsonValue } from "../contract.js";
import { ConnectionLostError, ResponseError } from "../errors.js";
import { isObject } from "../json.js";
import { diffStates } from "../merge_patch.js";
import { contextOf, type SurfaceView } from "../workspace_state.js";
import type { WorkspaceStore } from "../workspace_store.js";
import type { MessagePortLike } from "./dom.js";
import { type FrameError, type RequestId, readRequest, tooMuch } from "./frame_request.js";
import { RateLimit } from "./rate_limit.js";
import type { FrameRefusal } from "./refusals.js";

/** A sign of life that was asked for, and what came before it. */
interface Hello {
  readonly word: string;
  readonly heard: () => void;
  readonly held: unknown[];
}

const BURST = 200;
const PER_SECOND = 100;
const MAX_PENDING = 64;
const READS: readonly SurfaceMethod[] = ["sdk.context.get", "sdk.surfaces.get"];

/**
 * The Host's end of one view's port: takes its requests to the Runtime in its name, and brings it the news.
 *
 * Over the port go `{id, method, params}`, then `{id, result}` or `{id, error}`, and `{event, …}` from here.
 */
export class ViewPort {
  readonly #port: MessagePortLike;
  readonly #store: WorkspaceStore;
  readonly #surfaceId: string;
  readonly #onRefused: (refusal: FrameRefusal) => void;
  readonly #rate = new RateLimit(BURST, PER_SECOND, performance.now());
  #pending = 0;
  /** What a loss left unread. It changes nothing, so that it is asked again: a view that is just starting goes on. */
  #unread: Array<() => void> = [];
  #open = true;
  #hello: Hello | null = null;
  #revision: number;
  #state: Readonly<JsonObject>;
  #instance: Instance | undefined;

  constructor(
    port: MessagePortLike,
    store: WorkspaceStore,
    { surface_id, revision, state }: SurfaceView,
    onRefused: (refusal: FrameRefusal) => void,
  ) {
    this.#port = port;
    this.#store = store;
    this.#surfaceId = surface_id;
    this.#onRefused = onRefused;
    this.#revision = revision;
    this.#state = state ?? {};
    port.addEventListener("message", ({ data }) => this.#hear(data));
    port.start();
  }

  /** Tell the view what has changed, as one patch where several were missed. */
  follow({ revision, state, attached }: SurfaceView, instance: Instance | undefined): void {
    if (state !== null && revision > this.#revision) {
      this.#post({ event: "patched", revision, patch: diffStates(this.#state, state) });
      this.#revision = revision;
      this.#state = state;
    }
    if (instance !== undefined && instance.state !== this.#instance?.state) {
      if (this.#instance !== undefined) this.#post({ event: "context", context: contextOf(instance) });
      this.#instance = instance;
    }
    if (attached) for (const ask of this.#unread.splice(0)) ask();
  }

  /** Tell the view how the Host looks or speaks. */
  tell(event: "theme" | "locale", value: string | null): void {
    this.#post({ event, [event]: value });
  }

  /** Ask for a sign of life, which only the document that was given the port can give. All else waits for it. */
  greet(heard: () => void): void {
    this.#hello = { word: crypto.randomUUID(), heard, held: this.#hello?.held ?? [] };
    this.#post({ event: "hello", hello: this.#hello.word });
  }

  /** What the view still says is refused, what it still waits for never comes. */
  close(): void {
    this.#open = false;
    this.#port.close();
    for (const _ of this.#hello?.held ?? []) this.#onRefused("stale");
  }

  #hear(data: unknown): void {
    if (!this.#open) return this.#onRefused("stale");
    if (this.#hello !== null) return this.#hold(data, this.#hello);
    const request = readRequest(data, this.#surfaceId);
    const { id } = request;
    if ("refusal" in request) return this.#refuse(id, request.refusal, request.error);
    if (!this.#rate.take(performance.now()))
      return this.#refuse(id, "rate", tooMuch("requests_per_second", PER_SECOND));
    if (this.#pending >= MAX_PENDING) return this.#refuse(id, "rate", tooMuch("pending_requests", MAX_PENDING));
    this.#pending += 1;
    void this.#ask(request.id, request.method, request.params);
  }

  #hold(data: unknown, { word, heard, held }: Hello): void {
    if (isObject(data) && "hello" in data) {
      if (data["hello"] !== word) return; // of a load before the last one
      this.#hello = null;
      heard();
      for (const one of held) this.#hear(one);
    } else if (held.length < MAX_PENDING) held.push(data);
    else this.#onRefused("rate");
  }

  async #ask(id: RequestId, method: SurfaceMethod, params: JsonObject): Promise<void> {
    try {
      const onResult = (result: unknown) => this.#post({ id, result: result as JsonValue });
      await this.#store.surfaces.call(this.#surfaceId, method, params as SurfaceParams<SurfaceMethod>, { onResult });
    } catch (error) {
      if (error instanceof ConnectionLostError && READS.includes(method)) {
        this.#unread.push(() => void this.#ask(id, method, params));
        return;
      }
      this.#post({ id, error: { ...errorOf(error) } });
    }
    this.#pending -= 1;
  }

  #refuse(id: RequestId | null, refusal: FrameRefusal, error: FrameError): void {
    if (id !== null) this.#post({ id, error: { ...error } });
    this.#onRefused(refusal);
  }

  #post(message: JsonObject): void {
    if (this.#open) this.#port.postMessage(message);
  }
}

function errorOf(error: unknown): FrameError {
  if (error instanceof ResponseError) {
    const { code, message, data } = error.error;
    return { code, message, data: (data ?? {}) as JsonObject };
  }
  const lost = error instanceof ConnectionLostError;
  const message = error instanceof Error ? error.message : String(error);
  return { code: -32000, message, data: { code: lost ? error.code : "not_sent" } };
}
