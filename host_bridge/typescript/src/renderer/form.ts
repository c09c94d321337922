import type { Fault, InputDraft, InputField, InputRequest, InputResult } from "../contract.js";
import { checkAnswer } from "./answer.js";

/** What the user typed, as text, by field; a field that was never touched is absent. */
export type Form = Readonly<Record<string, string>>;

/** What was put together: an answer that fits, or what is to be mended. */
export type Reading<R> = { readonly result: R } | { readonly faults: readonly Fault[] };

/** The form as a draft left it; values of fields that there are not are left out. */
export function openForm(request: InputRequest, draft: InputDraft | null): Form {
  const values = draft?.values ?? {};
  const kept = request.fields.filter(({ id }) => Object.hasOwn(values, id));
  return fromPairs(kept.map(({ id }) => [id, String(values[id])]));
}

export function editForm(form: Form, fieldId: string, text: string): Form {
  return fromPairs([...Object.entries(form).filter(([id]) => id !== fieldId), [fieldId, text]]);
}

/** The draft to be kept: text as it stands, also where it is no number yet. */
export function draftOf(form: Form): InputDraft {
  return { values: { ...form } };
}

/**
 * Read what was typed.
 *
 * An optional field that is empty is absent, never "", null or 0, and so is every empty number. A required text that
 * was cleared is "", which only `min_length` refuses; one that was never touched is missing.
 */
export function readForm(request: InputRequest, form: Form): Reading<InputResult> {
  const pairs: Array<[string, string | number]> = [];
  for (const field of request.fields) {
    const value = readField(field, Object.hasOwn(form, field.id) ? form[field.id] : undefined);
    if (value !== undefined) pairs.push([field.id, value]);
  }
  const result = { values: fromPairs(pairs) };
  const faults = checkAnswer(request, result);
  return faults.length > 0 ? { faults } : { result };
}

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;

/** The value; undefined where it is absent, NaN or an infinity where it is no number: those fit no field. */
function readField(field: InputField, text: string | undefined): string | number | undefined {
  if (text === undefined) return undefined;
  if (field.type !== "number") return text === "" && !field.required ? undefined : text;
  const digits = text.trim();
  if (digits === "") return undefined;
  return NUMBER.test(digits) ? Number(digits) : Number.NaN;
}

/** An object whose keys are plain data, whatever a field is called. */
function fromPairs<T>(pairs: ReadonlyArray<readonly [string, T]>): Record<string, T> {
  return Object.fromEntries(pairs);
}
