/** The texts of the views: each says the same in every language that it speaks, and everything that its page names. */

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import vm from "node:vm";

const MINIAPPS = new URL("../../../miniapps/", import.meta.url);
const read = (view, name) => readFileSync(new URL(`${view}/surface/${name}`, MINIAPPS), "utf8");
const HOLES = /\{\w+\}/g;

for (const view of ["task_dashboard", "whiteboard"]) {
  const texts = JSON.parse(vm.runInNewContext(`${read(view, "texts.js")}; JSON.stringify(TEXTS)`));

  test(`${view} has every text in English and in Chinese`, () => {
    assert.deepEqual(Object.keys(texts), ["en", "zh-CN"]);
    assert.deepEqual(Object.keys(texts["zh-CN"]), Object.keys(texts.en));
    for (const [key, text] of Object.entries(texts["zh-CN"])) {
      assert.ok(/\p{Script=Han}/u.test(text) || !/[A-Za-z]/.test(text.replace(HOLES, "")), key);
      assert.doesNotMatch(text.replace(HOLES, ""), /[A-Za-z]{6,}/, key);
    }
  });

  test(`${view} fills the same holes in both, but for the reason of a fault`, () => {
    for (const [key, text] of Object.entries(texts.en)) {
      if (key === "fault") continue;
      assert.deepEqual((texts["zh-CN"][key].match(HOLES) ?? []).sort(), (text.match(HOLES) ?? []).sort(), key);
    }
  });

  test(`${view} has the texts that its page and its script name`, () => {
    const page = [...read(view, "index.html").matchAll(/data-(?:text|label)="([^"]*)"/g)].map(([, key]) => key);
    const script = [...read(view, "view.js").matchAll(/\bsay\("([^"]*)"/g)].map(([, key]) => key);
    assert.ok(page.length > 3 && script.length > 3);
    for (const key of [...page, ...script]) assert.ok(key in texts.en, key);
  });
}

test("whiteboard has words for every reason of a denial", () => {
  for (const reason of ["not_declared", "policy", "host_unsupported", "user_denied"]) {
    assert.match(read("whiteboard", "texts.js"), new RegExp(`"copy\\.${reason}":`));
  }
});
