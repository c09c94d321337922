import { Icon } from "../icon.tsx";

/** What is to be mended, beside what it is about. */
export function Fault({ text, id }: { text: string | null; id?: string }) {
  if (text === null) return null;
  return (
    <p class="fault" role="alert" id={id}>
      <Icon name="alert" />
      {text}
    </p>
  );
}
