import { language, type Theme, theme } from "../model/preferences.ts";
import { t } from "../text/text.ts";
import { Icon, type IconName } from "./icon.tsx";

const THEMES: readonly (readonly [Theme, IconName])[] = [
  ["system", "system"],
  ["light", "sun"],
  ["dark", "moon"],
];

export function ThemeChoice() {
  return (
    <fieldset class="segments">
      <legend class="unseen">{t("theme.label")}</legend>
      {THEMES.map(([value, icon]) => (
        <label key={value} title={t(`theme.${value}`)}>
          <input
            type="radio"
            name="theme"
            value={value}
            checked={theme.value === value}
            onChange={() => (theme.value = value)}
          />
          <Icon name={icon} />
          <span class="unseen">{t(`theme.${value}`)}</span>
        </label>
      ))}
    </fieldset>
  );
}

/** Each language is named in itself. */
export function LanguageChoice() {
  return (
    <fieldset class="segments">
      <legend class="unseen">{t("language.label")}</legend>
      {(["en", "zh"] as const).map((value) => (
        <label key={value} title={value === "en" ? "English" : "中文"}>
          <input
            type="radio"
            name="language"
            value={value}
            checked={language.value === value}
            onChange={() => (language.value = value)}
          />
          <span lang={value === "en" ? "en" : "zh-CN"}>{value === "en" ? "EN" : "中文"}</span>
        </label>
      ))}
    </fieldset>
  );
}
