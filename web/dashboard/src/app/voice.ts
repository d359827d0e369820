// Speech, where the browser can hear it.

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

const Maker = (globalThis as Record<string, any>).SpeechRecognition ?? (globalThis as Record<string, any>).webkitSpeechRecognition;

export const canListen = typeof Maker === "function";

const kProblems: Record<string, string> = {
  "not-allowed": "the browser does not let this page use the microphone",
  "service-not-allowed": "the browser does not let this page use its speech service",
  "audio-capture": "there is no microphone",
  network: "the browser's speech service cannot be reached",
};

export interface Listening {
  stop: () => void;
}

// `onEnd` is told what went wrong, or nothing.
export function listen({ onText, onEnd }: { onText: (text: string) => void; onEnd: (problem: string) => void }): Listening {
  const recognition = new Maker() as Recognition;
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
    if (event.error !== "aborted" && event.error !== "no-speech") problem = `Speech: ${kProblems[event.error] ?? event.error}`;
  };
  recognition.onend = () => onEnd(problem);
  recognition.start();
  return { stop: () => recognition.stop() };
}
