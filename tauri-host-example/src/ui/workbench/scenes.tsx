import type { Scene } from "../../shell/shell.ts";
import { sayScene } from "../../text/scenes.ts";
import { t } from "../../text/text.ts";
import { useHost } from "../host_context.ts";
import { Icon } from "../icon.tsx";

/** What the scripted Agent can play: each scene leaves the person something to do. */
export function Scenes() {
  const host = useHost();
  const { list, playing, last, lines } = host.scenes;
  return (
    <div class="scenes">
      <p class="hint">{t("scenes.hint")}</p>
      {last.value !== null && (
        <section class="scene-news" data-state={last.value.state} aria-live="polite">
          <h3>
            {titleOf(list.value, last.value.scene)} · {t(`scene.${last.value.state}`)}
          </h3>
          <ol>
            {lines.value.map((line, place) => (
              <li key={place}>{line}</li>
            ))}
          </ol>
          {last.value.state !== "playing" && <p class="hint">{last.value.message}</p>}
          {playing.value !== null && (
            <button type="button" class="small" onClick={() => void host.scenes.stop()}>
              <Icon name="stop" />
              {t("scenes.stop")}
            </button>
          )}
        </section>
      )}
      <ul class="scene-list">
        {list.value.map((scene) => (
          <Playable key={scene.id} scene={scene} />
        ))}
      </ul>
    </div>
  );
}

function Playable({ scene }: { scene: Scene }) {
  const host = useHost();
  const { title, summary } = sayScene(scene);
  const name = t("scenes.play", { title });
  return (
    <li>
      <div>
        <h3>{title}</h3>
        <p class="hint">{summary}</p>
      </div>
      <button
        type="button"
        class="icon-only"
        disabled={host.scenes.playing.value !== null || !host.isLive.value}
        aria-label={name}
        title={name}
        onClick={() => void host.scenes.play(scene.id)}
      >
        <Icon name="play" />
      </button>
    </li>
  );
}

function titleOf(scenes: readonly Scene[], id: string): string {
  const scene = scenes.find((one) => one.id === id);
  return scene === undefined ? id : sayScene(scene).title;
}
