import type { SurfaceDocument } from "../contract.js";

/** What a frame is loaded from: a page and the policy to serve it with. */
export type ServedDocument = Pick<SurfaceDocument, "html" | "csp">;

/**
 * Takes away what talks to the network in spite of a policy (Chromium's peer connections ask no `connect-src`), before
 * any script of the document runs. A view's client does the same; a hostile view need not begin with it.
 */
const GUARD =
  'for(const name of["RTCPeerConnection","webkitRTCPeerConnection","mozRTCPeerConnection","WebTransport"]){' +
  "Reflect.deleteProperty(globalThis,name);" +
  "if(name in globalThis)Object.defineProperty(globalThis,name,{value:undefined})}";

/** A doctype ends at its first `>`, whatever it quotes. */
const DOCTYPE = /^\s*<!doctype[^>]*>/i;

/** The document with the guard as its first script, and a policy that lets it run. Without scripts there is no need. */
export async function guardDocument({ html, csp }: ServedDocument): Promise<ServedDocument> {
  if (!/script-src 'sha256-/.test(csp)) return { html, csp };
  const doctype = DOCTYPE.exec(html)?.[0] ?? "";
  const guarded = `${doctype}<script>${GUARD}</script>${html.slice(doctype.length)}`;
  return { html: guarded, csp: csp.replace("script-src ", `script-src '${await hashOf(GUARD)}' `) };
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return `sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}`;
}
