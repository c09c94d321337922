import { t } from "../text/text.ts";
import type { IconName } from "./icon.tsx";

/**
 * What the Host calls a MiniApp. The titles that a MiniApp gives to its surfaces are its own words, and never stand
 * for who it is.
 */
export function nameOf(appScope: string): string {
  if (appScope === "chat") return t("app.chat");
  if (appScope === "task-dashboard") return t("app.task-dashboard");
  if (appScope === "whiteboard") return t("app.whiteboard");
  return appScope;
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
