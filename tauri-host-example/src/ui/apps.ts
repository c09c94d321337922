import { en } from "../text/en.ts";
import { t } from "../text/text.ts";
import type { IconName } from "./icon.tsx";

const KNOWN = ["chat", "task-dashboard", "whiteboard"] as const;

/**
 * What the Host calls a MiniApp. The titles that a MiniApp gives to its surfaces are its own words, and never stand
 * for who it is.
 */
export function nameOf(appScope: string): string {
  const known = KNOWN.find((one) => one === appScope);
  return known === undefined ? appScope : t(`app.${known}`);
}

/** Whether a title says no more than whose it is. */
export function isBareName(appScope: string, title: string): boolean {
  const known = KNOWN.find((one) => one === appScope);
  return title === nameOf(appScope) || (known !== undefined && title === en[`app.${known}`]);
}

export function iconOf(appScope: string): IconName {
  if (appScope === "chat") return "chat";
  if (appScope === "task-dashboard") return "tasks";
  if (appScope === "whiteboard") return "board";
  return "app";
}

/** A tone of its own for each app, the same each time. */
export function toneOf(appScope: string): string {
  const sum = [...appScope].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0);
  return `tone-${sum % 6}`;
}
