// Files that came with a turn, given back.
import type { TurnFile } from "../model/types";
import { headersFor } from "./upload";

export function addressOfFile(sessionId: string, file: TurnFile): string {
  return `api/sessions/${encodeURIComponent(sessionId)}/files/${encodeURIComponent(file.file_id)}`;
}

// A link cannot carry a token: the file is fetched with it, and then saved.
export async function saveFile(sessionId: string, file: TurnFile): Promise<void> {
  const response = await fetch(addressOfFile(sessionId, file), { headers: headersFor(), cache: "no-store" });
  if (!response.ok) throw new Error(`the server answered ${response.status}`);
  const address = URL.createObjectURL(await response.blob());
  const link = document.createElement("a");
  link.href = address;
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
