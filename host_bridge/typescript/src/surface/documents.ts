import type { SurfaceDocument } from "../contract.js";
import { guardDocument, type ServedDocument } from "./guarded_document.js";

/** Gives documents an address of their own, where they are served with exactly their CSP. */
export interface DocumentServer {
  /** The address of a document: `http:`, `https:` or a custom scheme. Another one for the surface replaces it. */
  serve(surfaceId: string, document: ServedDocument): Promise<string>;
}

/** Addresses without an origin of their own: there the Host's policy applies, or its address shows (PROTOCOL 5). */
const FORBIDDEN_SCHEMES: ReadonlySet<string> = new Set([
  "about:",
  "blob:",
  "data:",
  "file:",
  "filesystem:",
  "javascript:",
]);

/** The address to load a document from, which begins with the guard. */
export async function addressOf(server: DocumentServer, surfaceId: string, document: SurfaceDocument): Promise<string> {
  const { sandbox } = document;
  if (sandbox.join() !== "allow-scripts") throw new Error("a view is shown with the sandbox allow-scripts alone");
  const address = new URL(await server.serve(surfaceId, await guardDocument(document)));
  if (FORBIDDEN_SCHEMES.has(address.protocol)) throw new Error(`a view is never loaded from ${address.protocol}`);
  return address.href;
}
