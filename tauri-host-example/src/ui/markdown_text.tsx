import { useLayoutEffect, useRef } from "preact/hooks";
import { renderMarkdown } from "../markdown/markdown.ts";
import { language } from "../model/preferences.ts";

/** Text from anyone: Markdown is made safe, anything else is text as it is. */
export function MarkdownText({ text, format }: { text: string; format: string }) {
  return format === "markdown" ? <Rendered text={text} /> : <div class="prose plain">{text}</div>;
}

function Rendered({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  const spoken = language.value;
  useLayoutEffect(() => place.current?.replaceChildren(renderMarkdown(text)), [text, spoken]);
  return <div class="prose" ref={place} />;
}
