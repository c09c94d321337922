import type { InputDraft, InteractionStatus, InteractionStatusResult, Params, RendererItem } from "../contract.js";
import { isRefusal, ResponseError } from "../errors.js";
import { Cell, type Observable } from "../observable.js";
import type { RpcClient } from "../rpc_client.js";
import type { WorkspaceState } from "../workspace_state.js";
import type { WorkspaceStore } from "../workspace_store.js";
import { DraftSaver, type DraftStatus } from "./draft_saver.js";
import { draftOf } from "./form.js";
import { openQuestion, type Question, type QuestionEvent, reduceQuestion } from "./question.js";

export interface RendererOptions {
  /** From the last change of a form to its draft being saved. */
  readonly draftDelayMs?: number;
}

const ENDED_KEPT = 50;

/** The questions of a workspace and what the user does about them. It shows nothing: that is the front end's. */
export class Renderer implements Observable<readonly Question[]> {
  readonly #client: RpcClient;
  readonly #store: WorkspaceStore;
  readonly #draftDelayMs: number;
  readonly #questions = new Cell<readonly Question[]>([]);
  readonly #drafts = new Map<string, DraftSaver>();
  /** Those that were told to be seen, and those that ended here before the store knew of it. */
  readonly #presented = new Set<string>();
  readonly #dismissed = new Set<string>();
  readonly #stop: () => void;
  /** What of the store was taken last. */
  #known: WorkspaceState | null = null;

  constructor(client: RpcClient, store: WorkspaceStore, options: RendererOptions = {}) {
    this.#client = client;
    this.#store = store;
    this.#draftDelayMs = options.draftDelayMs ?? 500;
    this.#stop = store.subscribe(() => this.#follow());
    this.#follow();
  }

  /** Oldest first; those that ended stay until they are dismissed, the newest 50 of them. */
  readonly getSnapshot = (): readonly Question[] => this.#questions.getSnapshot();
  readonly subscribe = (listener: () => void): (() => void) => this.#questions.subscribe(listener);

  find(id: string): Question | undefined {
    return this.getSnapshot().find((question) => question.id === id);
  }

  /** The user sees it. */
  async present(id: string): Promise<void> {
    const question = this.find(id);
    if (question?.phase !== "open" || question.item.record.status !== "pending" || this.#presented.has(id)) return;
    this.#presented.add(id);
    try {
      await this.#client.call("renderer.presented", { interaction_id: id });
    } catch (error) {
      this.#presented.delete(id);
      if (endOf(error) === undefined) throw error; // an ending is news by itself
    }
  }

  choose(id: string, actionId: string): void {
    this.#reduce(id, { type: "choose", action_id: actionId });
  }

  /** The user types; the draft is saved a while later. */
  edit(id: string, fieldId: string, text: string): void {
    const before = this.find(id);
    this.#reduce(id, { type: "edit", field_id: fieldId, text });
    const question = this.find(id);
    if (question && question.form !== before?.form) this.#draftOf(id).change(draftOf(question.form));
  }

  /** Answer, with `result` or with what was put together. A second answer while one is on its way is not sent. */
  async submit(id: string, result?: unknown): Promise<void> {
    if (this.find(id)?.phase !== "open") return;
    this.#reduce(id, result === undefined ? { type: "submit" } : { type: "submit", result });
    const question = this.find(id);
    if (question?.phase !== "submitting" || question.answer === null) return;
    await this.#settle(id, "renderer.submit", { interaction_id: id, result: question.answer });
  }

  /** The user takes the question away without an answer. */
  async cancel(id: string, reason = ""): Promise<void> {
    if (this.find(id)?.phase !== "open") return;
    this.#reduce(id, { type: "cancel" });
    await this.#settle(id, "renderer.cancel", { interaction_id: id, reason });
  }

  /** Save every draft now: the page is about to go. */
  async flush(): Promise<void> {
    await Promise.all([...this.#drafts.values()].map((draft) => draft.flush()));
  }

  /** Show a question that has ended no more. */
  dismiss(id: string): void {
    if (this.find(id)?.phase !== "ended") return;
    this.#dismissed.add(id);
    this.#questions.set(this.getSnapshot().filter((question) => question.id !== id));
  }

  dispose(): void {
    this.#stop();
    for (const draft of this.#drafts.values()) draft.pause();
  }

  #draftOf(id: string): DraftSaver {
    const save = (draft: InputDraft) => this.#client.call("renderer.saveDraft", { interaction_id: id, draft });
    const known = this.#drafts.get(id);
    const tell = (status: DraftStatus) => this.#reduce(id, { type: "draft", status });
    const draft = known ?? new DraftSaver(save, tell, this.#draftDelayMs);
    this.#drafts.set(id, draft);
    return draft;
  }

  /** Send the user's verdict and take the Runtime's. */
  async #settle<M extends "renderer.submit" | "renderer.cancel">(
    id: string,
    method: M,
    params: Params<M>,
  ): Promise<void> {
    this.#drafts.get(id)?.pause();
    const ask = this.#client.call.bind(this.#client) as (...args: unknown[]) => Promise<InteractionStatusResult>;
    try {
      const { status } = await ask(method, params);
      this.#end(id, status, method === "renderer.cancel" ? "user_cancelled" : null);
    } catch (error) {
      const ended = endOf(error);
      if (ended !== undefined) return this.#end(id, ended, null);
      const faults = error instanceof ResponseError ? error.faults : [];
      this.#reduce(id, { type: "reject", message: messageOf(error), faults });
      this.#drafts.get(id)?.resume();
    }
  }

  /** Bring the questions in step with the store. */
  #follow(): void {
    const known = this.#known;
    const { phase, interactions, endings } = this.#store.getSnapshot();
    if (known?.phase === phase && known.interactions === interactions && known.endings === endings) return;
    this.#known = this.#store.getSnapshot();
    const open = new Set(interactions.map(({ record }) => record.interaction_id));
    for (const item of interactions) this.#take(item);
    for (const question of this.getSnapshot()) {
      if (question.phase === "ended" || open.has(question.id)) continue;
      const ending = endings.find(({ interaction_id }) => interaction_id === question.id);
      this.#end(question.id, ending?.status ?? null, ending?.reason ?? null);
    }
    for (const id of [...this.#dismissed, ...this.#presented]) {
      if (!open.has(id)) for (const ids of [this.#dismissed, this.#presented]) ids.delete(id);
    }
    if (phase === "live" && known?.phase !== "live") for (const draft of this.#drafts.values()) draft.resume();
  }

  #take(item: RendererItem): void {
    const id = item.record.interaction_id;
    if (this.#dismissed.has(id)) return;
    const question = this.find(id);
    if (question === undefined) this.#questions.set([...this.getSnapshot(), openQuestion(item)]);
    else if (question.item !== item) this.#reduce(id, { type: "present", item });
  }

  #end(id: string, status: InteractionStatus | null, reason: string | null): void {
    this.#drafts.get(id)?.discard();
    this.#drafts.delete(id);
    this.#reduce(id, { type: "end", status, reason });
    const ended = this.getSnapshot().filter(({ phase }) => phase === "ended");
    if (ended.length > ENDED_KEPT) this.dismiss(ended[0]?.id ?? "");
  }

  #reduce(id: string, event: QuestionEvent): void {
    const questions = this.getSnapshot();
    const next = questions.map((question) => (question.id === id ? reduceQuestion(question, event) : question));
    if (next.some((question, place) => question !== questions[place])) this.#questions.set(next);
  }
}

/** The status of a question that had ended by then, null where that is not told, undefined where the error is another. */
function endOf(error: unknown): InteractionStatus | null | undefined {
  if (!isRefusal(error, "interaction_already_final", "interaction_not_found")) return undefined;
  return (error.error.data as { status?: InteractionStatus }).status ?? null;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
