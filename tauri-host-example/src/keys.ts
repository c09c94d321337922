/** Whether a key belongs to an input method: Enter then confirms a candidate, and nothing else. */
export function isComposing(event: KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229; // some engines end the composition before they tell the key
}
