import { AttachedSurfaces } from "./attached_surfaces.js";
import type {
  CapabilityResolveParams,
  MiniAppMountResult,
  RuntimeEnvelope,
  WorkspaceOpenParams,
  WorkspaceSnapshot,
} from "./contract.js";
import { ConnectionLostError, isRefusal } from "./errors.js";
import { Cell, Listeners, type Observable } from "./observable.js";
import type { RpcClient } from "./rpc_client.js";
import type { Supervisor } from "./supervisor.js";
import * as news from "./workspace_news.js";
import { emptyWorkspace, findSurface, isLive, type WorkspaceState } from "./workspace_state.js";

type OnMounted = (mounted: MiniAppMountResult) => void;

/**
 * One conversation, kept in step with the Runtime: by its news, and by reading it again wherever some may be missing.
 *
 * What is mounted and attached through the store is mounted and attached again in each new session.
 */
export class WorkspaceStore implements Observable<WorkspaceState> {
  readonly surfaces: AttachedSurfaces;
  readonly #client: RpcClient;
  readonly #state: Cell<WorkspaceState>;
  readonly #errors = new Listeners<unknown>();
  readonly #mounted = new Map<string, OnMounted>();
  readonly #stops: Array<() => void>;

  constructor(client: RpcClient, conversation: WorkspaceOpenParams) {
    this.#client = client;
    this.#state = new Cell(emptyWorkspace(conversation));
    this.surfaces = new AttachedSurfaces(client, this.#state);
    this.#stops = [client.onLost(() => this.#forgetSession()), ...this.#listen(client)];
  }

  readonly getSnapshot = (): WorkspaceState => this.#state.getSnapshot();
  readonly subscribe = (listener: () => void): (() => void) => this.#state.subscribe(listener);

  /** Hear of what could not be read, mounted or attached again; what was merely gone or lost is not told. */
  onError(handler: (error: unknown) => void): () => void {
    return this.#errors.add(handler);
  }

  /** Open in each session of a supervisor, also in one that has begun. */
  follow(supervisor: Supervisor): void {
    this.#stops.push(supervisor.onSession(() => this.#background(this.open())));
    if (supervisor.getSnapshot().phase === "ready") this.#background(this.open());
  }

  /** Hear no more. The conversation stays open, what is mounted stays mounted. */
  dispose(): void {
    for (const stop of this.#stops.splice(0)) stop();
  }

  /** Open the workspace in a new session, and mount and attach again what was. @throws ResponseError, … */
  async open(): Promise<void> {
    this.#forgetSession();
    // What is mounted from here on is so in this session already: twice would void the tokens of the first time.
    const mounted = [...this.#mounted.keys()];
    const attached = this.surfaces.wanted;
    await this.#read(() => this.#restore(mounted, attached));
  }

  /** Read everything again in this session. */
  async refresh(): Promise<void> {
    await this.#read(() => undefined);
  }

  /** The container is there. `onMounted` is called now and after each mount of a later session. */
  async mount(instanceId: string, onMounted: OnMounted = () => undefined): Promise<void> {
    this.#mounted.set(instanceId, onMounted);
    await this.#client.call("miniapp.mount", { instance_id: instanceId }, { onResult: onMounted });
  }

  /** The container is gone; its surfaces are not attached any more. */
  async unmount(instanceId: string): Promise<void> {
    this.#mounted.delete(instanceId);
    for (const { instance_id, surface_id } of this.getSnapshot().surfaces) {
      if (instance_id === instanceId) this.surfaces.drop(surface_id);
    }
    await this.#client.call("miniapp.unmount", { instance_id: instanceId });
  }

  /** Say what became of a capability request; it is not open any more. */
  async resolveCapability(params: CapabilityResolveParams): Promise<void> {
    try {
      await this.#client.call("capability.resolve", params);
    } catch (error) {
      if (!isRefusal(error, "capability_request_not_found")) throw error;
    }
    this.#take((known) => news.dropRequest(known, params.request_id));
  }

  #listen(client: RpcClient): Array<() => void> {
    const take = (change: (known: WorkspaceState) => WorkspaceState) => this.#take(change);
    return [
      client.on("runtime.resync", () => this.#background(this.refresh())),
      client.on("workspace.changed", (change) => take((known) => news.takeChange(known, change))),
      client.on("miniapp.failed", (failure) => {
        take((known) => news.noteFailure(known, failure));
        if (isLive(this.getSnapshot(), failure.instance_id)) this.#background(this.refresh()); // its surfaces failed too
      }),
      client.on("surface.opened", ({ surface }) => take((known) => news.openSurface(known, surface))),
      client.on("surface.closed", ({ surface_id }) => {
        this.surfaces.drop(surface_id);
        take((known) => news.closeSurface(known, surface_id));
      }),
      client.on("surface.patched", (patched) => {
        const next = news.patchSurface(this.getSnapshot(), patched);
        if (next === null) this.#background(this.surfaces.read(patched.surface_id));
        else this.#state.set(next);
      }),
      client.on("renderer.present", ({ item }) => take((known) => news.presentItem(known, item))),
      client.on("renderer.retract", (retract) => take((known) => news.retractItem(known, retract))),
      client.on("capability.requested", (request) => take((known) => news.addRequest(known, request))),
      client.on("transport.send", ({ peer, envelope }) => {
        if (peer.conversation_id !== this.getSnapshot().conversation_id) return;
        take((known) => news.followEnvelope(known, envelope as RuntimeEnvelope));
      }),
    ];
  }

  #take(change: (known: WorkspaceState) => WorkspaceState): void {
    this.#state.set(change(this.getSnapshot()));
  }

  #forgetSession(): void {
    this.surfaces.forgetSession();
    this.#take(news.loseSession);
  }

  async #read(then: () => void): Promise<void> {
    const { conversation_id, agent_id } = this.getSnapshot();
    const onResult = (snapshot: WorkspaceSnapshot) => {
      this.#take((known) => news.takeSnapshot(known, snapshot));
      for (const surface of snapshot.surfaces) this.#compare(surface);
      then();
    };
    await this.#client.call("workspace.open", { conversation_id, agent_id }, { onResult });
  }

  /** Hold a surface of a snapshot against what is shown of it. */
  #compare({ surface_id, revision, status }: WorkspaceSnapshot["surfaces"][number]): void {
    if (status !== "open") this.surfaces.drop(surface_id);
    const shown = findSurface(this.getSnapshot(), surface_id);
    if (shown?.attached && shown.revision !== revision) this.#background(this.surfaces.read(surface_id));
  }

  /** Mount and attach what was in an earlier session, where that is still wanted. */
  #restore(mounted: readonly string[], attached: readonly string[]): void {
    const known = this.getSnapshot();
    for (const instanceId of mounted) {
      const onMounted = this.#mounted.get(instanceId);
      if (!isLive(known, instanceId)) this.#mounted.delete(instanceId);
      else if (onMounted !== undefined) this.#background(this.mount(instanceId, onMounted));
    }
    for (const surfaceId of this.surfaces.wanted) {
      if (attached.includes(surfaceId)) this.#background(this.surfaces.attach(surfaceId));
    }
  }

  /** What nobody awaits: a loss or an end is news by itself, all else is told. */
  #background(work: Promise<unknown>): void {
    work.catch((error: unknown) => {
      const gone = isRefusal(error, "app_instance_not_found", "surface_not_found", "context_token_invalid");
      if (!gone && !(error instanceof ConnectionLostError)) this.#errors.tell(error);
    });
  }
}
