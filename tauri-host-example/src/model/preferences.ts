import { effect, type Signal, signal } from "@preact/signals";
import { type Language, systemLanguage } from "../text/language.ts";

export type Theme = "system" | "light" | "dark";

const THEMES: readonly Theme[] = ["system", "light", "dark"];
const LANGUAGES: readonly Language[] = ["en", "zh"];

export const theme = kept("lineup.theme", THEMES, "system");
export const language = kept("lineup.language", LANGUAGES, systemLanguage());

/** Let the document say which theme and language it is in. */
export function applyPreferences(root: HTMLElement): void {
  effect(() => {
    if (theme.value === "system") delete root.dataset["theme"];
    else root.dataset["theme"] = theme.value;
  });
  effect(() => {
    root.lang = language.value === "zh" ? "zh-CN" : "en";
  });
}

/** A choice that this browser remembers, where it lets a page remember anything. */
function kept<T extends string>(key: string, allowed: readonly T[], otherwise: T): Signal<T> {
  const choice = signal(allowed.find((one) => one === read(key)) ?? otherwise);
  choice.subscribe((value) => write(key, value));
  return choice;
}

function read(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function write(key: string, value: string): void {
  try {
    localStorage.setItem(key, value);
  } catch {
    // A browser that keeps nothing begins anew each time.
  }
}
