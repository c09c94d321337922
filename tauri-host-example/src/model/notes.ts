import type { Ending } from "@lineup/host";
import { signal } from "@preact/signals";
import { t } from "../text/text.ts";

export interface Note {
  readonly id: number;
  readonly kind: "error" | "fault" | "done";
  readonly text: string;
}

const MAX_SHOWN = 4;
const MAX_KEPT = 100;

/** What the user is told beside the page's content; it goes by itself. */
export class Notes {
  readonly shown = signal<readonly Note[]>([]);
  /** Everything that was told, for the inspector. */
  readonly log = signal<readonly (Note & { readonly at: string })[]>([]);
  #lastId = 0;

  tell(kind: Note["kind"], text: string): void {
    const note = { id: ++this.#lastId, kind, text };
    this.log.value = [...this.log.value, { ...note, at: new Date().toISOString() }].slice(-MAX_KEPT);
    if (kind === "fault") return; // for those who look, not for those who work
    this.shown.value = [...this.shown.value, note].slice(-MAX_SHOWN);
    setTimeout(() => this.dismiss(note.id), kind === "error" ? 10_000 : 4_000);
  }

  /** A question that ended without the user, and how. */
  tellEnding(ending: Exclude<Ending, "answered" | "cancelled">, title: string): void {
    this.tell("done", t(`ending.${ending}`, { title }));
  }

  dismiss(id: number): void {
    this.shown.value = this.shown.value.filter((note) => note.id !== id);
  }
}
