import { useEffect, useState } from "preact/hooks";
import { readArtifact, revoke, type ShownArtifact } from "../../model/artifact.ts";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";

/** Something that was handed in: a picture to look at, a file to save. */
export function Artifact({ id }: { id: string }) {
  const host = useHost();
  const [shown, setShown] = useState<ShownArtifact | null>(null);
  useEffect(() => {
    let gone = false;
    let read: ShownArtifact | null = null;
    void readArtifact(host.client, id).then(
      (artifact) => {
        read = artifact;
        if (gone) revoke(artifact);
        else setShown(artifact);
      },
      () => undefined, // there is nothing to show; the id stands in the result
    );
    return () => {
      gone = true;
      if (read !== null) revoke(read);
    };
  }, [host, id]);
  if (shown === null) return null;
  return (
    <figure class="artifact">
      {shown.isPicture && <img src={shown.address} alt={t("artifact.picture", { name: shown.name })} />}
      <figcaption>
        <a href={shown.address} download={shown.name}>
          {t("artifact.save", { name: shown.name })}
        </a>
        <span class="hint">{t("artifact.size", { n: shown.byteSize })}</span>
      </figcaption>
    </figure>
  );
}
