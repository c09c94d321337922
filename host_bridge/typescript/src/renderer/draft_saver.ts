import type { InputDraft } from "../contract.js";
import { ConnectionLostError } from "../errors.js";

export type DraftStatus = "none" | "pending" | "saved" | "failed";

/** Keeps one question's draft: a while after the last change, one save at a time, the newest text last. */
export class DraftSaver {
  #status: DraftStatus = "none";
  #draft: InputDraft | null = null;
  #saving: Promise<void> | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #save: (draft: InputDraft) => Promise<unknown>;
  readonly #tellOf: (status: DraftStatus) => void;
  readonly #delayMs: number;

  constructor(save: (draft: InputDraft) => Promise<unknown>, tell: (status: DraftStatus) => void, delayMs: number) {
    this.#save = save;
    this.#tellOf = tell;
    this.#delayMs = delayMs;
  }

  /** The text has changed. */
  change(draft: InputDraft): void {
    this.#draft = draft;
    this.#tell("pending");
    this.resume();
  }

  /** Nothing is saved while an answer is on its way. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  /** Go on: the answer was not taken, or there is a connection again. */
  resume(): void {
    clearTimeout(this.#timer);
    if (this.#draft !== null) this.#timer = setTimeout(() => void this.flush(), this.#delayMs);
  }

  /** Save now what is not saved yet. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer);
    await this.#saving;
    if (this.#draft === null) return;
    this.#saving ??= this.#saveOne(this.#draft).finally(() => {
      this.#saving = null;
    });
    await this.#saving;
  }

  /** The question has ended, and its draft with it. */
  discard(): void {
    this.pause();
    this.#draft = null;
    this.#tell("none");
  }

  async #saveOne(draft: InputDraft): Promise<void> {
    try {
      await this.#save(draft);
      if (this.#draft === draft) {
        this.#draft = null;
        this.#tell("saved");
      }
    } catch (error) {
      // After a loss it is saved in the next session; what was refused is refused again, until the text is another.
      if (this.#draft !== draft || error instanceof ConnectionLostError) return;
      this.#draft = null;
      this.#tell("failed");
    }
  }

  #tell(status: DraftStatus): void {
    if (this.#status === status) return;
    this.#status = status;
    this.#tellOf(status);
  }
}
