import type { ChoiceRequest, ChoiceResult } from "../contract.js";

/** The ids of the chosen actions, in the user's order. */
export type Chosen = readonly string[];

/** Choose an action, or in a multi-choice take it back. One that was not offered changes nothing. */
export function chooseAction(request: ChoiceRequest, chosen: Chosen, actionId: string): Chosen {
  if (!request.actions.some(({ id }) => id === actionId)) return chosen;
  if (request.mode !== "multi-choice") return [actionId];
  return chosen.includes(actionId) ? chosen.filter((id) => id !== actionId) : [...chosen, actionId];
}

export function readChoice(chosen: Chosen): ChoiceResult {
  return { action_ids: [...chosen] };
}
