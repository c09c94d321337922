import type {
  ChoiceRequest,
  Fault,
  InputField,
  InputRequest,
  StandardInteractionRequest,
  StandardInteractionResult,
} from "../contract.js";
import { isObject } from "../json.js";

/** What is wrong with an answer, as the Runtime would find it (PROTOCOL 4.1); empty where it fits. */
export function checkAnswer(request: StandardInteractionRequest, result: unknown): Fault[] {
  switch (request.kind) {
    case "notice":
      return closed(result, "acknowledged", (value) => (value === true ? [] : [fault("acknowledged", "must be true")]));
    case "confirm":
      return closed(result, "approved", (value) =>
        typeof value === "boolean" ? [] : [fault("approved", "must be true or false")],
      );
    case "choice":
      return closed(result, "action_ids", (value) => checkChoice(request, value));
    case "input":
      return closed(result, "values", (value) => checkValues(request, value));
  }
}

/** Whether an answer fits its question. */
export function fits(request: StandardInteractionRequest, result: unknown): result is StandardInteractionResult {
  return checkAnswer(request, result).length === 0;
}

/** What is wrong with the value of one field. */
export function checkField(field: InputField, value: unknown): Fault[] {
  const path = `values.${field.id}`;
  if (field.type === "number") {
    if (typeof value !== "number" || !Number.isFinite(value)) return [fault(path, "must be a number")];
    return checkBounds(path, value, field.minimum, field.maximum, "");
  }
  if (typeof value !== "string" || !value.isWellFormed()) return [fault(path, "must be text")];
  return checkBounds(path, countCharacters(value), field.min_length, field.max_length, " characters");
}

/** How long a text is, in code points, as the bounds of a field count. */
export function countCharacters(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

export function fault(path: string, message: string): Fault {
  return { path, message };
}

/** Objects are closed: the one member, and nothing else. */
function closed(result: unknown, member: string, check: (value: unknown) => Fault[]): Fault[] {
  if (!isObject(result)) return [fault("", "must be an object")];
  const foreign = Object.keys(result).filter((key) => key !== member);
  if (foreign.length > 0) return foreign.map((key) => fault(key, "is no field of this answer"));
  return Object.hasOwn(result, member) ? check(result[member]) : [fault(member, "is required")];
}

const MAX_CHOSEN = 1_000;

function checkChoice(request: ChoiceRequest, chosen: unknown): Fault[] {
  const path = "action_ids";
  if (!Array.isArray(chosen) || !chosen.every((id) => typeof id === "string"))
    return [fault(path, "must be a list of ids")];
  if (chosen.length > MAX_CHOSEN) return [fault(path, `must have at most ${MAX_CHOSEN} items`)];
  const known = new Set(request.actions.map(({ id }) => id));
  const distinct = new Set<string>(chosen);
  if ([...distinct].some((id) => !known.has(id))) return [fault(path, "names an action that was not offered")];
  if (distinct.size === 0) return [fault(path, "must name at least one action")];
  if (request.mode !== "multi-choice" && distinct.size !== 1) return [fault(path, "must name exactly one action")];
  return [];
}

function checkValues(request: InputRequest, values: unknown): Fault[] {
  if (!isObject(values)) return [fault("values", "must be an object")];
  const known = new Set(request.fields.map(({ id }) => id));
  const foreign = Object.keys(values).filter((id) => !known.has(id));
  return [
    ...foreign.map((id) => fault(`values.${id}`, "is no field of this form")),
    ...request.fields.flatMap((field) => {
      if (Object.hasOwn(values, field.id)) return checkField(field, values[field.id]);
      return field.required ? [fault(`values.${field.id}`, "is required")] : [];
    }),
  ];
}

function checkBounds(
  path: string,
  size: number,
  low: number | undefined,
  high: number | undefined,
  unit: string,
): Fault[] {
  if (low !== undefined && size < low) return [fault(path, `must be at least ${low}${unit}`)];
  if (high !== undefined && size > high) return [fault(path, `must be at most ${high}${unit}`)];
  return [];
}
