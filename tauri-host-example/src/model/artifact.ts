import type { RpcClient, StoredArtifact } from "@lineup/host";

/** What is shown as a picture; anything else is only saved. */
const PICTURES: readonly string[] = ["image/svg+xml", "image/png"];

export interface ShownArtifact {
  readonly name: string;
  readonly byteSize: number;
  /** An address of this page's own memory; an `img` runs nothing of what is there. */
  readonly address: string;
  readonly isPicture: boolean;
}

/** Read an artifact; `revoke` its address once it is shown no more. */
export async function readArtifact(client: RpcClient, artifact_id: string): Promise<ShownArtifact> {
  const stored = await client.call("artifact.get", { artifact_id });
  const content = decode(stored);
  const isPicture = PICTURES.includes(stored.media_type);
  const blob = new Blob([content], { type: isPicture ? stored.media_type : "application/octet-stream" });
  return { name: stored.name, byteSize: stored.byte_size, address: URL.createObjectURL(blob), isPicture };
}

export function revoke({ address }: ShownArtifact): void {
  URL.revokeObjectURL(address);
}

function decode({ content_base64 }: StoredArtifact): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(content_base64), (letter) => letter.charCodeAt(0));
}
