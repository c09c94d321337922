import type { JsonObject, Params, Result, SURFACE_METHODS } from "./contract.js";
import { ConnectionLostError, ResponseError } from "./errors.js";
import type { Cell } from "./observable.js";
import type { CallOptions, RpcClient } from "./rpc_client.js";
import * as news from "./workspace_news.js";
import { findSurface, type WorkspaceState } from "./workspace_state.js";

export type SurfaceMethod = (typeof SURFACE_METHODS)[number];

/** What a view may say with a method: the token and the surface are added here. */
export type SurfaceParams<M extends SurfaceMethod> = Omit<Params<M>, "context_token" | "surface_id">;

/** The surfaces of a workspace that are shown. Their tokens are here and nowhere else. */
export class AttachedSurfaces {
  readonly #client: RpcClient;
  readonly #state: Cell<WorkspaceState>;
  readonly #wanted = new Set<string>();
  readonly #tokens = new Map<string, string>();
  readonly #reading = new Set<string>();

  constructor(client: RpcClient, state: Cell<WorkspaceState>) {
    this.#client = client;
    this.#state = state;
  }

  /** Attach: state and document are in the snapshot from then on, and followed. A failed surface opens again. */
  async attach(surfaceId: string): Promise<void> {
    this.#wanted.add(surfaceId);
    try {
      await this.#client.call(
        "surface.attach",
        { surface_id: surfaceId },
        {
          onResult: (result) => {
            if (!this.#wanted.has(surfaceId)) return;
            this.#tokens.set(surfaceId, result.surface_token);
            this.#take((known) => news.attachSurface(known, result));
          },
        },
      );
    } catch (error) {
      if (error instanceof ResponseError) this.#wanted.delete(surfaceId);
      throw error;
    }
  }

  /** The view is gone. */
  async detach(surfaceId: string): Promise<void> {
    this.drop(surfaceId);
    await this.#client.call("surface.detach", { surface_id: surfaceId });
  }

  /** The surface cannot be shown; its MiniApp is told. */
  async fail(surfaceId: string, message: string): Promise<void> {
    this.drop(surfaceId);
    this.#take((known) => news.changeSurface(known, surfaceId, { status: "failed" }));
    await this.#client.call("surface.fail", { surface_id: surfaceId, message });
  }

  /** Ask in the name of an attached surface's view. @throws ResponseError, ConnectionLostError, UnsendableError */
  async call<M extends SurfaceMethod>(
    surfaceId: string,
    method: M,
    params: SurfaceParams<M>,
    options: CallOptions<Result<M>> = {},
  ): Promise<Result<M>> {
    const token = this.#tokens.get(surfaceId);
    if (token === undefined) throw new ConnectionLostError({ message: "the surface is not attached" });
    const own = method === "sdk.context.get" ? {} : { surface_id: surfaceId };
    const ask = this.#client.call.bind(this.#client) as (...args: unknown[]) => Promise<Result<M>>;
    return ask(method, { ...params, ...own, context_token: token }, options);
  }

  /** Read a state of which a patch is missing; once at a time. What comes while it is read, comes after it. */
  async read(surfaceId: string): Promise<void> {
    if (this.#reading.has(surfaceId)) return;
    this.#reading.add(surfaceId);
    const onResult = ({ revision, state }: { revision: number; state: JsonObject }) => {
      this.#reading.delete(surfaceId);
      this.#take((known) => news.changeSurface(known, surfaceId, { revision, state }));
    };
    try {
      await this.call(surfaceId, "sdk.surfaces.get", {}, { onResult });
    } finally {
      this.#reading.delete(surfaceId);
    }
  }

  /** Forget that it was attached: it is closed, failed, or its container is gone. */
  drop(surfaceId: string): void {
    this.#wanted.delete(surfaceId);
    this.#tokens.delete(surfaceId);
    this.#take((known) => {
      const shown = findSurface(known, surfaceId);
      return shown?.attached ? news.changeSurface(known, surfaceId, { attached: false }) : known;
    });
  }

  /** The session is over: its tokens are void, what was attached is to be attached again. */
  forgetSession(): void {
    this.#tokens.clear();
    this.#reading.clear();
  }

  /** Those that were attached in an earlier session and are still there. */
  get wanted(): readonly string[] {
    return [...this.#wanted].filter((surfaceId) => findSurface(this.#state.getSnapshot(), surfaceId) !== undefined);
  }

  #take(change: (known: WorkspaceState) => WorkspaceState): void {
    this.#state.set(change(this.#state.getSnapshot()));
  }
}
