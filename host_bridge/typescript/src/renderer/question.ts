import type {
  Fault,
  InteractionStatus,
  RendererItem,
  StandardInteractionRequest,
  StandardInteractionResult,
} from "../contract.js";
import { checkAnswer } from "./answer.js";
import { type Chosen, chooseAction, readChoice } from "./choice.js";
import type { DraftStatus } from "./draft_saver.js";
import { type Ending, endingOf } from "./ending.js";
import { editForm, type Form, openForm, type Reading, readForm } from "./form.js";

/**
 * A question as it is shown, with what the user has done about it so far. Never changed, only replaced.
 *
 * `phase`: `open` may be answered; `submitting` from the user's answer to the Runtime's verdict; `ended` for good.
 */
export interface Question {
  readonly id: string;
  readonly item: RendererItem;
  readonly phase: "open" | "submitting" | "ended";
  readonly chosen: Chosen;
  readonly form: Form;
  /** The answer that is on its way, or was given; null for one that was taken away. */
  readonly answer: StandardInteractionResult | null;
  /** What is to be mended in the last answer. */
  readonly faults: readonly Fault[];
  /** Why the last answer did not come through. */
  readonly error: string | null;
  readonly ending: Ending | null;
  readonly draft: DraftStatus;
}

export type QuestionEvent =
  /** It is presented again: its place or its status changed. */
  | { readonly type: "present"; readonly item: RendererItem }
  | { readonly type: "choose"; readonly action_id: string }
  | { readonly type: "edit"; readonly field_id: string; readonly text: string }
  /** The user answers, with `result` or with what was put together; or takes the question away. */
  | { readonly type: "submit"; readonly result?: unknown }
  | { readonly type: "cancel" }
  /** The Runtime did not take it: `faults` are to be mended; or nobody knows. */
  | { readonly type: "reject"; readonly message: string; readonly faults: readonly Fault[] }
  | { readonly type: "draft"; readonly status: DraftStatus }
  /** It ended, by whomever; without a status where nobody saw how. */
  | { readonly type: "end"; readonly status: InteractionStatus | null; readonly reason: string | null };

export function openQuestion(item: RendererItem): Question {
  const { record, draft } = item;
  const form = record.request.kind === "input" ? openForm(record.request, draft) : {};
  const blank = { chosen: [], answer: null, faults: [], error: null, ending: null, draft: "none" } as const;
  return { ...blank, id: record.interaction_id, item, phase: "open", form };
}

/** What an event makes of a question; the same where it makes nothing of it. */
export function reduceQuestion(question: Question, event: QuestionEvent): Question {
  if (question.phase === "ended") return question; // the first ending stands
  switch (event.type) {
    case "present":
      return { ...question, item: event.item };
    case "end":
      return { ...question, phase: "ended", faults: [], error: null, ending: endOf(event) };
    case "draft":
      return { ...question, draft: event.status };
    case "reject":
      if (question.phase !== "submitting") return question;
      return { ...question, phase: "open", answer: null, faults: event.faults, error: event.message };
    default:
      return question.phase === "open" ? act(question, event) : question; // an answer is given once
  }
}

/** Whether it is shown anywhere: one whose MiniApp is not in front waits. */
export function isShown({ item, phase }: Question): boolean {
  return phase !== "ended" && item.placement.mode !== "deferred";
}

/** What the user has put together in a choice or a form. A notice and a confirm are answered by a button. */
export function readAnswer({ item, chosen, form }: Question): Reading<StandardInteractionResult> {
  const { request } = item.record;
  if (request.kind === "input") return readForm(request, form);
  return judge(request, request.kind === "choice" ? readChoice(chosen) : undefined);
}

/** What is to be mended in one field of a form. */
export function faultsOf({ faults }: Question, fieldId: string): readonly Fault[] {
  return faults.filter(({ path }) => path === `values.${fieldId}`);
}

type Act = Extract<QuestionEvent, { type: "choose" | "edit" | "submit" | "cancel" }>;

function act(question: Question, event: Act): Question {
  const { request } = question.item.record;
  switch (event.type) {
    case "choose":
      if (request.kind !== "choice") return question;
      return { ...question, chosen: chooseAction(request, question.chosen, event.action_id), faults: [] };
    case "edit":
      if (!isField(request, event.field_id)) return question;
      return {
        ...question,
        form: editForm(question.form, event.field_id, event.text),
        faults: question.faults.filter(({ path }) => path !== `values.${event.field_id}`),
      };
    case "submit":
      return answer(question, event.result);
    case "cancel":
      return { ...question, phase: "submitting", answer: null, faults: [], error: null };
  }
}

function answer(question: Question, given: unknown): Question {
  const reading = given === undefined ? readAnswer(question) : judge(question.item.record.request, given);
  if ("faults" in reading) return { ...question, faults: reading.faults, error: null };
  return { ...question, phase: "submitting", answer: reading.result, faults: [], error: null };
}

function judge(request: StandardInteractionRequest, result: unknown): Reading<StandardInteractionResult> {
  const faults = checkAnswer(request, result);
  return faults.length > 0 ? { faults } : { result: result as StandardInteractionResult };
}

function isField(request: StandardInteractionRequest, fieldId: string): boolean {
  return request.kind === "input" && request.fields.some(({ id }) => id === fieldId);
}

function endOf({ status, reason }: { status: InteractionStatus | null; reason: string | null }): Ending {
  return status === null ? "unseen" : endingOf(status, reason);
}
