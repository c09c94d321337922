import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { guardDocument } from "../../src/surface/guarded_document.js";

const CSP = "default-src 'none'; script-src 'sha256-x='; style-src 'none'; connect-src 'none'; sandbox allow-scripts";

describe("the guard of a surface's document", () => {
  it("is its first script, and the one that its policy allows besides", async () => {
    const { html, csp } = await guardDocument({ html: "<!doctype html>\n<html><script>1</script></html>", csp: CSP });
    const guard = /^<!doctype html><script>(.*?)<\/script>\n<html><script>1<\/script><\/html>$/s.exec(html)?.[1] ?? "";
    const hash = createHash("sha256").update(guard).digest("base64");
    expect(csp).toBe(CSP.replace("script-src", `script-src 'sha256-${hash}'`));
  });

  it.each(["<script>1</script>", "<!-- x --><!doctype html><script>1</script>", '<!doctype html "<script>">x'])(
    "comes first whatever a page begins with: %s",
    async (page) => {
      const { html } = await guardDocument({ html: page, csp: CSP });
      const before = html.slice(0, html.indexOf("<script>for("));
      expect(before.replace(/^<!doctype[^>]*>/, "")).toBe("");
    },
  );

  it("takes the constructors away", async () => {
    const { html } = await guardDocument({ html: "", csp: CSP });
    const script = /<script>(.*?)<\/script>/s.exec(html)?.[1] ?? "";
    const realm = { RTCPeerConnection: 1, WebTransport: 1, other: 1 };
    new Function("globalThis", script)(realm);
    expect(realm).toEqual({ other: 1 });
  });

  it("is not needed where nothing runs", async () => {
    const still = { html: "<p>still</p>", csp: CSP.replace("'sha256-x='", "'none'") };
    expect(await guardDocument(still)).toEqual(still);
  });
});
