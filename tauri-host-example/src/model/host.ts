import {
  ConnectionLostError,
  type InitializeResult,
  type JsonObject,
  type MiniAppEntry,
  RpcClient,
  Supervisor,
  type SupervisorState,
  type WorkspaceState,
  WorkspaceStore,
} from "@lineup/host";
import { computed, type ReadonlySignal, type Signal, signal } from "@preact/signals";
import type { MakeShell, Shell } from "../shell/shell.ts";
import { sayError } from "../text/refusals.ts";
import { Agent } from "./agent.ts";
import { Containers } from "./containers.ts";
import { Fleet } from "./fleet.ts";
import { type Inventory, inventoryOf } from "./inventory.ts";
import { Notes } from "./notes.ts";
import { observed } from "./observed.ts";
import { Outbox } from "./outbox.ts";
import { PROVIDED, Providers } from "./providers.ts";
import { Questions } from "./questions.ts";
import { ScenePlayer } from "./scene_player.ts";
import { TaskRows } from "./task_rows.ts";

const REFRESH_AFTER_MS = 50;

const EMPTY: WorkspaceState = {
  phase: "empty",
  conversation_id: "",
  agent_id: "",
  revision: -1,
  foreground: null,
  focus_stack: [],
  instances: [],
  surfaces: [],
  interactions: [],
  tool_calls: [],
  capability_requests: [],
  failures: [],
  endings: [],
};

/** Everything behind the page: one session, one conversation, and what the page makes of them. */
export class Host {
  readonly client = new RpcClient();
  readonly shell: Shell;
  readonly supervisor: Supervisor;
  readonly connection: ReadonlySignal<SupervisorState>;
  readonly workspace: Signal<WorkspaceState> = signal(EMPTY);
  readonly miniapps: Signal<readonly MiniAppEntry[]> = signal([]);
  readonly session: ReadonlySignal<InitializeResult | null>;
  readonly notes = new Notes();
  readonly agent: Agent;
  readonly inventory: ReadonlySignal<Inventory>;
  readonly outbox: Outbox;
  readonly questions: Questions;
  readonly containers: Containers;
  readonly scenes: ScenePlayer;
  readonly fleet: Fleet;
  readonly isLive: ReadonlySignal<boolean>;

  #store: WorkspaceStore | null = null;
  #refresh: ReturnType<typeof setTimeout> | undefined;

  constructor(makeShell: MakeShell) {
    this.shell = makeShell(this.client);
    this.supervisor = new Supervisor(this.client, this.shell.transport, {
      initialize: { host: this.shell.host, capability_providers: PROVIDED },
      prepare: () => this.shell.prepare(),
    });
    this.connection = observed(this.supervisor);
    this.session = computed(() => (this.connection.value.phase === "ready" ? this.connection.value.session : null));
    this.isLive = computed(() => this.connection.value.phase === "ready" && this.workspace.value.phase === "live");
    this.agent = new Agent(
      this.client,
      () => this.shell.peer.value,
      () => this.#ready(),
      () => this.inventory.value.revision,
    );
    this.agent.onAccepted = () => this.refreshSoon();
    this.inventory = inventoryOf(this);
    this.outbox = new Outbox(this);
    this.questions = new Questions(this);
    this.containers = new Containers(this);
    this.scenes = new ScenePlayer(this);
    this.fleet = new Fleet(this);
    new TaskRows(this);
    new Providers(this);
    this.client.onFault(({ message }) => this.notes.tell("fault", message));
    this.supervisor.onSession(() => this.#begin());
  }

  start(): void {
    this.supervisor.start().catch(() => undefined); // the connection's state tells of it
  }

  /** The store of the conversation. @throws ConnectionLostError before the first session */
  get store(): WorkspaceStore {
    if (this.#store === null) throw new ConnectionLostError({ message: "the conversation is not open yet" });
    return this.#store;
  }

  /** Read the workspace again soon: which calls are open is told by a snapshot alone. */
  refreshSoon(): void {
    clearTimeout(this.#refresh);
    this.#refresh = setTimeout(() => {
      if (this.isLive.peek()) void this.#store?.refresh().catch(() => undefined);
    }, REFRESH_AFTER_MS);
  }

  /** Do what the user asked for; where it fails, say so. Whether it was done. */
  async attempt(work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      this.notes.tell("error", sayError(error));
      return false;
    }
  }

  /** Say something in the name of a view that is trusted DOM. */
  emit(surfaceId: string, event: string, payload: JsonObject): Promise<unknown> {
    return this.store.surfaces.call(surfaceId, "sdk.surfaces.emit", { event, payload });
  }

  #begin(): void {
    if (this.#store === null) {
      const store = new WorkspaceStore(this.client, this.shell.peer.value);
      this.#store = store;
      store.onError((error) => this.notes.tell("error", sayError(error)));
      store.subscribe(() => {
        this.workspace.value = store.getSnapshot();
      });
      this.questions.begin(store);
      store.follow(this.supervisor);
    }
    void this.fleet.read();
  }

  #ready(): Promise<void> {
    return new Promise((resolve) => {
      const stop = this.supervisor.subscribe(look);
      const { supervisor } = this;
      function look() {
        if (supervisor.getSnapshot().phase !== "ready") return;
        stop();
        resolve();
      }
      look();
    });
  }
}
