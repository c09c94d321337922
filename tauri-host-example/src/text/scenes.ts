import { language } from "../model/preferences.ts";
import type { Scene } from "../shell/shell.ts";

/** The scripted Agent's scenes in Chinese: title and what they show. Their own words are English. */
const CHINESE: Readonly<Record<string, readonly [title: string, summary: string]>> = {
  talk: ["交谈", "智能体用 Markdown 写一条消息，然后等你在对话中回答。"],
  notice: ["通知", "智能体告知一件不需要回答的事。"],
  choice: ["选择", "智能体给出三项，你选其中几项。"],
  confirm: ["是与否", "智能体在删除之前先问你。"],
  form: ["表单", "填到一半时重新载入：你写的内容还在。"],
  "take-back": ["收回问题", "智能体提出一个问题，然后收回。"],
  task: ["任务", "任务面板从头到尾跟进一项任务。"],
  crash: ["崩溃", "任务进行到一半时运行时被强行结束，什么也不会丢。"],
  draw: ["绘画", "你在白板上画，然后提交。"],
};

/** A scene's title and summary, in the user's language where they are known in it. */
export function sayScene({ id, title, summary }: Scene): { title: string; summary: string } {
  const chinese = language.value === "zh" && Object.hasOwn(CHINESE, id) ? CHINESE[id] : undefined;
  return chinese === undefined ? { title, summary } : { title: chinese[0], summary: chinese[1] };
}
