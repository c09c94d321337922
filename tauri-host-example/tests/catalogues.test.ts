import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { language } from "../src/model/preferences.ts";
import { en } from "../src/text/en.ts";
import { count, t } from "../src/text/text.ts";
import { zh } from "../src/text/zh.ts";

const holes = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();

/** All sources but the catalogues themselves. */
function readSources(): string {
  const folder = new URL("../src/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf-8" });
  const sources = files.filter((file) => /\.tsx?$/.test(file) && !/text\/(en|zh)\.ts$/.test(file));
  return sources.map((file) => readFileSync(new URL(file, folder), "utf-8")).join("\n");
}

describe("the catalogues", () => {
  it("have the same texts, in the same order", () => {
    expect(Object.keys(zh)).toEqual(Object.keys(en));
  });

  it("leave nothing empty and fill in the same holes", () => {
    for (const [key, text] of Object.entries(en)) {
      const other = zh[key as keyof typeof en];
      expect([key, text.trim(), other.trim()]).toEqual([key, text, other]);
      expect(other, key).not.toBe("");
      expect([key, holes(other)]).toEqual([key, holes(text)]);
    }
  });

  it("translate everything that is not a name", () => {
    const same = Object.entries(en).filter(([key, text]) => zh[key as keyof typeof en] === text);
    expect(same).toEqual([]);
  });

  it("hold nothing that nobody says", () => {
    const sources = readSources();
    const unused = Object.keys(en).filter((key) => {
      const name = key.replace(/\.(one|other)$/, "");
      return !sources.includes(`"${name}"`) && !sources.includes(`\`${name.split(".")[0]}.\${`);
    });
    expect(unused).toEqual([]);
  });

  it("count in each language", () => {
    language.value = "en";
    expect([count("switcher.waiting", 1), count("switcher.waiting", 2)]).toEqual([
      "1 question waits",
      "2 questions wait",
    ]);
    language.value = "zh";
    expect([count("switcher.waiting", 1), count("switcher.waiting", 2)]).toEqual(["1 个问题待回答", "2 个问题待回答"]);
  });

  it("put values in as they are, and nothing where there is none", () => {
    language.value = "en";
    expect(t("app.asks", { name: "$& {name} <b>" })).toBe("$& {name} <b> asks");
    expect(t("app.asks")).toBe("{name} asks");
  });
});
