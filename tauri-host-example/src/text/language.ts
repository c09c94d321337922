export type Language = "en" | "zh";

/** What the system is set to, as far as the catalogues go. */
export function systemLanguage(): Language {
  return globalThis.navigator?.language.toLowerCase().startsWith("zh") ? "zh" : "en";
}
