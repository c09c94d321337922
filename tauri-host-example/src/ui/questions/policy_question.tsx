import { t } from "../../text/text.ts";
import { nameOf } from "../apps.ts";
import { Dialog } from "../dialog.tsx";
import { useHost } from "../host_context.ts";
import { Icon } from "../icon.tsx";
import { AppMark } from "../sidebar.tsx";
import { Question } from "./question.tsx";

/** What the policy wants asked: in the Host's own chrome, where no app can be mistaken for the Host. */
export function PolicyQuestion() {
  const host = useHost();
  const question = host.questions.policy.value[0];
  if (question === undefined) return null;
  const { app_scope } = question.item.record.owner;
  return (
    <Dialog
      key={question.id}
      title={t("policy.title")}
      class="policy"
      onCancel={() => void host.questions.cancel(question.id)}
    >
      <p class="policy-for">
        <Icon name="shield" class="policy-icon" />
        <AppMark scope={app_scope} />
        <span>{t("policy.for", { name: nameOf(app_scope) })}</span>
      </p>
      <Question question={question} />
    </Dialog>
  );
}
