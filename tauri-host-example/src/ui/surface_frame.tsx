import type { BridgeState, SurfaceBridge, SurfaceView } from "@lineup/host";
import { useEffect, useRef, useState } from "preact/hooks";
import { t } from "../text/text.ts";
import { useHost } from "./host_context.ts";
import { Icon } from "./icon.tsx";

interface Props {
  surface: SurfaceView;
  /** What the Host calls the app. */
  name: string;
  shown: boolean;
}

/** A sandboxed surface: a place that the bridge fills with a frame, and what is said while there is none. */
export function SurfaceFrame({ surface, name, shown }: Props) {
  const host = useHost();
  const place = useRef<HTMLDivElement>(null);
  const { surface_id, title } = surface;
  useEffect(
    () => (place.current === null ? undefined : host.containers.show(surface_id, place.current)),
    [host, surface_id],
  );
  const bridge = host.containers.bridges.value.get(surface_id);
  const phase = useBridgeState(bridge)?.phase ?? "idle";
  useEffect(() => {
    const frame = place.current?.querySelector("iframe");
    if (frame) frame.title = t("frame.title", { name, title });
  });
  return (
    <div class="frame" data-shown={shown} data-surface={surface_id} data-phase={phase} inert={!shown}>
      <div class="frame-place" ref={place} />
      {phase !== "connected" && (
        <div class="nothing frame-cover" role="status">
          {phase === "failed" ? <Failed bridge={bridge} instanceId={surface.instance_id} /> : <p>{t("app.opening")}</p>}
        </div>
      )}
    </div>
  );
}

/** A view that misbehaved loads anew; logic that died for good starts anew with it. */
function Failed({ bridge, instanceId }: { bridge: SurfaceBridge | undefined; instanceId: string }) {
  const host = useHost();
  const died = host.workspace.value.failures.some(({ instance_id }) => instance_id === instanceId);
  const again = async () => {
    if (!died || (await host.fleet.toFront(instanceId))) await bridge?.show();
  };
  return (
    <>
      <Icon name="alert" class="nothing-icon" />
      <p>{died ? t("frame.died") : t("frame.failed")}</p>
      <p class="hint">{bridge?.getSnapshot().error}</p>
      <button type="button" onClick={() => void again()}>
        <Icon name="refresh" />
        {t("frame.again")}
      </button>
    </>
  );
}

function useBridgeState(bridge: SurfaceBridge | undefined): BridgeState | undefined {
  const [, redraw] = useState<BridgeState>();
  useEffect(() => bridge?.subscribe(() => redraw(bridge.getSnapshot())), [bridge]);
  return bridge?.getSnapshot();
}
