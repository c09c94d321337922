import type { Instance, Question, SurfaceView } from "@lineup/host";
import { useState } from "preact/hooks";
import { count, t } from "../text/text.ts";
import { isBareName, nameOf } from "./apps.ts";
import { CloseDialog } from "./close_dialog.tsx";
import { useHost } from "./host_context.ts";
import { Icon } from "./icon.tsx";
import { AppQuestion } from "./questions/app_question.tsx";
import { AppMark } from "./sidebar.tsx";
import { SurfaceFrame } from "./surface_frame.tsx";

/** A MiniApp's place on the stage: the Host's own head, its frames, and what it asks over them. */
export function AppContainer({ instance, front }: { instance: Instance; front: boolean }) {
  const host = useHost();
  const { instance_id, app_scope } = instance;
  const surfaces = host.workspace.value.surfaces.filter((one) => one.instance_id === instance_id);
  const asked = front ? host.questions.ofInstance(instance_id) : [];
  const cards = asked.filter(({ item }) => item.placement.mode === "card");
  const blocking = asked.filter(({ item }) => item.placement.mode !== "card");
  const [first] = blocking;
  return (
    <section class="app" aria-label={nameOf(app_scope)} data-front={front} data-app={app_scope} inert={!front}>
      <Head instance={instance} surfaces={surfaces} />
      <div class="app-body">
        <Cards questions={cards} instance={instance} />
        <Frames surfaces={surfaces} instance={instance} blocked={first !== undefined} />
        {first !== undefined && (
          <AppQuestion key={first.id} question={first} instance={instance} more={blocking.length - 1} />
        )}
      </div>
    </section>
  );
}

function Head({ instance, surfaces }: { instance: Instance; surfaces: readonly SurfaceView[] }) {
  const host = useHost();
  const [closing, setClosing] = useState(false);
  const { instance_id, app_scope } = instance;
  const name = nameOf(app_scope);
  const title = surfaces[0]?.title;
  return (
    <header class="pane-head">
      <AppMark scope={app_scope} />
      <h2>{name}</h2>
      {title !== undefined && !isBareName(app_scope, title) && <p class="surface-title">{title}</p>}
      <span class="head-acts">
        <button type="button" class="quiet" onClick={() => void host.fleet.toBack(instance_id)}>
          <Icon name="back" />
          {t("app.to-back")}
        </button>
        <button type="button" class="quiet" onClick={() => setClosing(true)}>
          <Icon name="close" />
          {t("app.close")}
        </button>
      </span>
      {closing && <CloseDialog instance={instance} onDone={() => setClosing(false)} />}
    </header>
  );
}

/** One surface at a time; where there are more, by tabs. */
function Frames({
  surfaces,
  instance,
  blocked,
}: {
  surfaces: readonly SurfaceView[];
  instance: Instance;
  blocked: boolean;
}) {
  const [chosen, setChosen] = useState<string | null>(null);
  const shown = surfaces.find(({ surface_id }) => surface_id === chosen) ?? surfaces[0];
  const byId = [...surfaces].sort((one, other) => (one.surface_id < other.surface_id ? -1 : 1));
  return (
    <div class="frames" inert={blocked}>
      {surfaces.length > 1 && (
        <div class="surface-tabs">
          {byId.map(({ surface_id, title }) => (
            <button
              key={surface_id}
              type="button"
              class="quiet"
              aria-pressed={surface_id === shown?.surface_id}
              onClick={() => setChosen(surface_id)}
            >
              {title}
            </button>
          ))}
        </div>
      )}
      {surfaces.length === 0 && <NoSurface instance={instance} />}
      {byId.map((surface) => (
        <SurfaceFrame
          key={surface.surface_id}
          surface={surface}
          name={nameOf(instance.app_scope)}
          shown={surface === shown}
        />
      ))}
    </div>
  );
}

function NoSurface({ instance }: { instance: Instance }) {
  const host = useHost();
  const failure = host.workspace.value.failures.find(({ instance_id }) => instance_id === instance.instance_id);
  return (
    <div class="nothing" role="status">
      <Icon name={failure === undefined ? "app" : "alert"} class="nothing-icon" />
      <p>{failure === undefined ? t("app.opening") : failure.message}</p>
      {failure !== undefined && (
        <button type="button" onClick={() => void host.fleet.toFront(instance.instance_id)}>
          {t("app.start-again")}
        </button>
      )}
    </div>
  );
}

/** Questions that stand beside the work, and do not stop it. */
function Cards({ questions, instance }: { questions: readonly Question[]; instance: Instance }) {
  if (questions.length === 0) return null;
  return (
    <section class="app-cards" aria-label={count("app.asks-count", questions.length)}>
      {questions.map((question) => (
        <AppQuestion key={question.id} question={question} instance={instance} more={0} />
      ))}
    </section>
  );
}
