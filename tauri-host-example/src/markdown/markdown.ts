import DOMPurify from "dompurify";
import MarkdownIt from "markdown-it";
import { t } from "../text/text.ts";

const SAFE_ADDRESS = /^(?:https?|mailto):/i;

const TAGS = [
  ...["a", "blockquote", "br", "code", "del", "em", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre"],
  ...["s", "strong", "table", "tbody", "td", "th", "thead", "tr", "ul"],
];

/** Raw HTML stays text, and no address is loaded: a picture becomes a link to it, which loads nothing by itself. */
const parser = new MarkdownIt({ html: false, linkify: true, breaks: true, maxNesting: 40 });
parser.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
parser.validateLink = (address) => SAFE_ADDRESS.test(address.trim());
parser.renderer.rules["image"] = (tokens, index) => {
  const token = tokens[index];
  const { escapeHtml } = parser.utils;
  const address = String(token?.attrGet("src") ?? "");
  const label = escapeHtml(t("message.picture", { name: token?.content || address }));
  return SAFE_ADDRESS.test(address) ? `<a href="${escapeHtml(address)}">${label}</a>` : label;
};

/** Headings of what is said stand below those of the page around it. */
parser.core.ruler.push("headings", ({ tokens }) => {
  for (const token of tokens) {
    if (/^h[1-6]$/.test(token.tag)) token.tag = `h${Math.min(6, Number(token.tag.slice(1)) + 2)}`;
  }
});

const purifier = DOMPurify(window);
purifier.addHook("afterSanitizeAttributes", (node) => {
  if (!(node instanceof HTMLAnchorElement)) return;
  const address = node.getAttribute("href") ?? "";
  if (!SAFE_ADDRESS.test(address)) return void node.removeAttribute("href");
  node.rel = "noopener noreferrer nofollow";
  node.title = address; // what the link's own words say may be anything
  node.draggable = false;
});

/** Markdown from anyone, as elements of the allowed kinds and nothing else. */
export function renderMarkdown(text: string): DocumentFragment {
  return purifier.sanitize(parser.render(text), {
    RETURN_DOM_FRAGMENT: true,
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ["href", "start"],
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    ALLOWED_URI_REGEXP: SAFE_ADDRESS,
  });
}

/** The address of the link that an event is about, if the page may hand it to the system. */
export function addressOf(event: Event): string | null {
  const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
  const address = link?.getAttribute("href") ?? "";
  return SAFE_ADDRESS.test(address) ? address : null;
}
