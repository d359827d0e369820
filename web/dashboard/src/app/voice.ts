// Dictation, in browsers with speech recognition.

interface Recognition {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: { resultIndex: number; results: ArrayLike<ArrayLike<{ transcript: string }> & { isFinal: boolean }> }) => void) | null;
  onerror: ((event: { error: string }) => void) | null;
  onend: (() => void) | null;
  start(): void;
  stop(): void;
}

const RecognitionClass = (globalThis as Record<string, any>).SpeechRecognition ?? (globalThis as Record<string, any>).webkitSpeechRecognition;

export const canDictate = typeof RecognitionClass === "function";

const kProblems: Record<string, string> = {
  "not-allowed": "microphone access denied",
  "service-not-allowed": "speech service access denied",
  "audio-capture": "no microphone found",
  network: "speech service unreachable",
};

export interface Dictation {
  stop: () => void;
}

// Calls `onEnd` with the error, or with an empty text.
export function dictate({ onText, onEnd }: { onText: (text: string) => void; onEnd: (problem: string) => void }): Dictation {
  const recognition = new RecognitionClass() as Recognition;
  recognition.continuous = true;
  recognition.interimResults = false;
  recognition.lang = navigator.language;
  let problem = "";
  recognition.onresult = (event) => {
    for (let i = event.resultIndex; i < event.results.length; ++i) {
      const result = event.results[i]!;
      if (result.isFinal) onText(result[0]!.transcript.trim());
    }
  };
  recognition.onerror = (event) => {
    if (event.error !== "aborted" && event.error !== "no-speech") problem = `Dictation: ${kProblems[event.error] ?? event.error}`;
  };
  recognition.onend = () => onEnd(problem);
  recognition.start();
  return { stop: () => recognition.stop() };
}
