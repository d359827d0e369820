// Tasks to try with a first agent. The demo agent follows simple rules and costs nothing.
export interface Sample {
  prompt: string;
  note: string; // what it shows
}

const kDemo: readonly Sample[] = [
  { prompt: "help", note: "Streams an answer" },
  { prompt: "write notes.txt: Hello from Oriel", note: "Requests permission for an edit" },
  { prompt: "ask", note: "Asks a question" },
];

const kReal: readonly Sample[] = [
  { prompt: "Write a small command-line game in Python", note: "Edits files and runs commands" },
  { prompt: "Create a README.md with a checklist for a code review", note: "Writes one file" },
  { prompt: "What can you do in this directory?", note: "Answers without changes" },
];

export const samplesFor = (agent: string): readonly Sample[] => (agent.startsWith("demo") ? kDemo : kReal);
