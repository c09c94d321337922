import { language } from "../model/preferences.ts";
import { en } from "./en.ts";
import { zh } from "./zh.ts";

export type Key = keyof typeof en;
export type Values = Readonly<Record<string, string | number>>;
/** The keys of what is counted: `calls` for `calls.one` and `calls.other`. */
export type Counted = { [K in Key]: K extends `${infer Base}.other` ? Base : never }[Key];

const CATALOGUES = { en, zh };

/** A text in the user's language; `{name}` stands for `values.name`. */
export function t(key: Key, values: Values = {}): string {
  return fill(CATALOGUES[language.value][key], values);
}

/** A text that counts `n`. */
export function count(key: Counted, n: number): string {
  const form = new Intl.PluralRules(language.value).select(n) === "one" ? "one" : "other";
  return t(`${key}.${form}` as Key, { n });
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}
