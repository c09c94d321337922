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
            {list.value.find(({ id }) => id === last.value?.scene)?.title ?? last.value.scene} ·{" "}
            {t(`scene.${last.value.state}`)}
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
        {list.value.map(({ id, title, summary }) => (
          <li key={id}>
            <div>
              <h3>{title}</h3>
              <p class="hint">{summary}</p>
            </div>
            <button
              type="button"
              class="icon-only"
              disabled={playing.value !== null || !host.isLive.value}
              aria-label={t("scenes.play", { title })}
              title={t("scenes.play", { title })}
              onClick={() => void host.scenes.play(id)}
            >
              <Icon name="play" />
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
}
