// The messages that were sent from this browser, newest first, to any agent.
const kKey = "oriel.prompts";
const kMax = 50;
const kMaxLength = 4000; // characters; longer ones are not kept

export function sentPrompts(): string[] {
  try {
    const texts: unknown = JSON.parse(localStorage.getItem(kKey) ?? "[]");
    return Array.isArray(texts) ? texts.filter((text) => typeof text === "string") : [];
  } catch {
    return [];
  }
}

export function keepPrompt(text: string): void {
  if (!text || text.length > kMaxLength) return;
  try {
    localStorage.setItem(kKey, JSON.stringify([text, ...sentPrompts().filter((other) => other !== text)].slice(0, kMax)));
  } catch {
    // Storage is blocked: only the messages of the session are offered.
  }
}
