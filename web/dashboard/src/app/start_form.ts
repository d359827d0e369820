// What is entered in the form that starts an agent. It survives navigation and reloads until it is sent.
import { signal } from "@preact/signals";
import type { StartBody } from "@oriel/client";

export interface StartForm {
  agent: string;
  project: string;
  workspace: string;
  message: string;
  title: string;
  permissions: StartBody["permissions"] | "";
  node: string;
}

const kKey = "oriel.start";
const kEmpty: StartForm = { agent: "", project: "", workspace: "", message: "", title: "", permissions: "", node: "" };

function storedForm(): StartForm {
  try {
    return { ...kEmpty, ...(JSON.parse(sessionStorage.getItem(kKey) ?? "{}") as Partial<StartForm>) };
  } catch {
    return kEmpty;
  }
}

const form = signal(storedForm());
export const startForm = (): StartForm => form.value;

export function changeStartForm(what: Partial<StartForm>): void {
  form.value = { ...form.peek(), ...what };
  try {
    sessionStorage.setItem(kKey, JSON.stringify(form.peek()));
  } catch {
    // Storage is blocked: the form survives navigation only.
  }
}
