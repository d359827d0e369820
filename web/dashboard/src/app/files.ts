// Downloads of files that were sent with a turn.
import type { TurnFile } from "@oriel/client";
import { api } from "./store";

// A link cannot carry a token, so the file is fetched with it and then saved.
export async function saveFile(sessionId: string, file: TurnFile): Promise<void> {
  const url = URL.createObjectURL(await api.file(sessionId, file.file_id));
  const link = document.createElement("a");
  link.href = url;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
