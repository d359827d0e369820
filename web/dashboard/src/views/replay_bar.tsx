// Replays a session from the journal, from any position and at several speeds.
import { useEffect, useRef, useState } from "preact/hooks";
import type { SessionEvent } from "@oriel/client";
import type { SessionView } from "../app/session_view";
import { api, errorText } from "../app/store";
import { Conversation } from "../model/conversation";
import { countUpTo, playbackOf, type Playback } from "../model/replay";
import { duration } from "../text/format";
import { Icon } from "../ui/icons";

const kSpeeds = [1, 4, 16, 64];
const kFrame = 60; // ms

interface Props {
  view: SessionView;
  onChange: (conversation: Conversation) => void;
  onClose: () => void;
}

async function readJournal(view: SessionView): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  let since = view.oldestStored - 1;
  for (;;) {
    const page = await api.events(view.id, { since_index: since, limit: 5000 });
    events.push(...page.events);
    if (!page.has_more || page.events.length === 0) return events;
    since = page.last_index;
  }
}

export function ReplayBar({ view, onChange, onClose }: Props) {
  const [playback, setPlayback] = useState<Playback | undefined>();
  const [position, setPosition] = useState(0);
  const [isPlaying, setPlaying] = useState(true);
  const [speed, setSpeed] = useState(4);
  const [problem, setProblem] = useState("");
  const shown = useRef({ conversation: new Conversation(), count: 0 });
  useEffect(() => {
    let isStale = false;
    readJournal(view).then((events) => !isStale && setPlayback(playbackOf(events)), (error) => setProblem(errorText(error)));
    return () => { isStale = true; };
  }, [view]);
  useEffect(() => {
    if (!playback) return;
    const target = countUpTo(playback, position);
    if (target < shown.current.count) shown.current = { conversation: new Conversation(), count: 0 };
    shown.current.conversation.addAll(playback.events.slice(shown.current.count, target));
    shown.current.count = target;
    onChange(shown.current.conversation);
    view.version.value += 1;
  }, [playback, position]);
  useEffect(() => {
    if (!playback || !isPlaying) return;
    const timer = setInterval(() => setPosition((before) => Math.min(playback.length, before + kFrame * speed)), kFrame);
    return () => clearInterval(timer);
  }, [playback, isPlaying, speed]);
  useEffect(() => {
    if (playback && position >= playback.length) setPlaying(false);
  }, [playback, position]);
  if (problem) return <div class="replay"><p class="bad" role="alert">{problem}</p><button type="button" class="button" onClick={onClose}>Close</button></div>;
  if (!playback) return <div class="replay" aria-busy="true"><p class="dim">Loading</p></div>;
  return (
    <div class="replay" role="group" aria-label="Replay">
      <button type="button" class="icon-button" aria-label={isPlaying ? "Pause" : "Play"} onClick={() => { if (position >= playback.length) setPosition(0); setPlaying(!isPlaying); }}>
        <Icon name={isPlaying ? "pause" : "play"} />
      </button>
      <input type="range" min={0} max={playback.length} step="any" value={position} aria-label="Position"
        aria-valuetext={`${duration(position)} of ${duration(playback.length)}`} onInput={(event) => { setPlaying(false); setPosition(Number(event.currentTarget.value)); }} />
      <span class="replay-count mono">{countUpTo(playback, position)} / {playback.events.length}</span>
      <div class="segments" role="group" aria-label="Speed">
        {kSpeeds.map((value) => <button key={value} type="button" aria-pressed={speed === value} onClick={() => setSpeed(value)}>{value}{"\u00d7"}</button>)}
      </div>
      <button type="button" class="button" onClick={onClose}>Exit replay</button>
    </div>
  );
}
