import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConnectionLostError, type InputDraft } from "../../src/index.js";
import { DraftSaver, type DraftStatus } from "../../src/renderer/draft_saver.js";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const draft = (text: string): InputDraft => ({ values: { x: text } });

/** A saver whose saves are answered one by one. */
function makeSaver() {
  const saves: Array<{ draft: InputDraft; resolve: () => void; reject: (error: Error) => void }> = [];
  const statuses: DraftStatus[] = [];
  const save = (draft: InputDraft) => new Promise<void>((resolve, reject) => saves.push({ draft, resolve, reject }));
  const saver = new DraftSaver(save, (status) => statuses.push(status), 500);
  const settle = () => vi.advanceTimersByTimeAsync(0);
  return { saver, saves, statuses, settle };
}

it("saves once, a while after the last change, what stands then", async () => {
  const { saver, saves, statuses, settle } = makeSaver();
  saver.change(draft("a"));
  await vi.advanceTimersByTimeAsync(499);
  saver.change(draft("ab"));
  await vi.advanceTimersByTimeAsync(499);
  expect(saves).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(saves.map((save) => save.draft)).toEqual([draft("ab")]);
  saves[0]?.resolve();
  await settle();
  expect(statuses).toEqual(["pending", "saved"]);
});

it("saves what was typed during a save after it, never beside it", async () => {
  const { saver, saves, statuses, settle } = makeSaver();
  saver.change(draft("a"));
  await vi.advanceTimersByTimeAsync(500);
  saver.change(draft("ab"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(saves).toHaveLength(1);
  saves[0]?.resolve();
  await settle();
  expect(saves.map((save) => save.draft)).toEqual([draft("a"), draft("ab")]);
  expect(statuses).toEqual(["pending"]);
});

it("saves nothing while an answer is on its way, and goes on where it is not taken (I06)", async () => {
  const { saver, saves } = makeSaver();
  saver.change(draft("a"));
  saver.pause();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(saves).toEqual([]);
  saver.resume();
  await vi.advanceTimersByTimeAsync(500);
  expect(saves.map((save) => save.draft)).toEqual([draft("a")]);
});

it("forgets the draft of a question that has ended, also while it is saved", async () => {
  const { saver, saves, statuses, settle } = makeSaver();
  saver.change(draft("a"));
  await vi.advanceTimersByTimeAsync(500);
  saver.change(draft("ab"));
  saver.discard();
  saves[0]?.resolve();
  await vi.advanceTimersByTimeAsync(5_000);
  await settle();
  expect(saves).toHaveLength(1);
  expect(statuses).toEqual(["pending", "none"]);
});

it("saves after a loss what it could not save before", async () => {
  const { saver, saves, statuses, settle } = makeSaver();
  saver.change(draft("a"));
  await vi.advanceTimersByTimeAsync(500);
  saves[0]?.reject(new ConnectionLostError({ message: "gone" }));
  await settle();
  saver.resume();
  await vi.advanceTimersByTimeAsync(500);
  saves[1]?.resolve();
  await settle();
  expect(saves.map((save) => save.draft)).toEqual([draft("a"), draft("a")]);
  expect(statuses).toEqual(["pending", "saved"]);
});

it("says that a draft was refused, and tries again with the next text", async () => {
  const { saver, saves, statuses, settle } = makeSaver();
  saver.change(draft("too long"));
  await vi.advanceTimersByTimeAsync(500);
  saves[0]?.reject(new Error("limit_exceeded"));
  await settle();
  saver.resume();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(saves).toHaveLength(1);
  saver.change(draft("a"));
  await vi.advanceTimersByTimeAsync(500);
  expect(saves).toHaveLength(2);
  expect(statuses).toEqual(["pending", "failed", "pending"]);
});

it("saves at once when it is told to", async () => {
  const { saver, saves } = makeSaver();
  saver.change(draft("a"));
  const flushed = saver.flush();
  await Promise.resolve();
  expect(saves).toHaveLength(1);
  saves[0]?.resolve();
  await flushed;
  await saver.flush();
  expect(saves).toHaveLength(1);
});
