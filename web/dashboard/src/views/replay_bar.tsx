// Plays a session again from the journal: any moment of it, at any speed.
import { useEffect, useRef, useState } from "preact/hooks";
import type { OrielEvent } from "@oriel/client";
import type { SessionView } from "../app/session_view";
import { api, problemOf } from "../app/store";
import { Conversation } from "../model/conversation";
import { happened, playbackOf, type Playback } from "../model/replay";
import { duration } from "../text/format";
import { Icon } from "../ui/icons";

const kSpeeds = [1, 4, 16, 64];
const kFrame = 60; // ms between two steps

interface Props {
  view: SessionView;
  onChange: (conversation: Conversation) => void;
  onClose: () => void;
}

async function readJournal(view: SessionView): Promise<OrielEvent[]> {
  const events: OrielEvent[] = [];
  let since = view.oldestHeld - 1;
  for (;;) {
    const page = await api.events(view.id, { since_index: since, limit: 5000 });
    events.push(...(page.events as OrielEvent[]));
    if (!page.has_more || page.events.length === 0) return events;
    since = page.last_index;
  }
}

export function ReplayBar({ view, onChange, onClose }: Props) {
  const [playback, setPlayback] = useState<Playback | undefined>();
  const [moment, setMoment] = useState(0);
  const [isPlaying, setPlaying] = useState(true);
  const [speed, setSpeed] = useState(4);
  const [problem, setProblem] = useState("");
  const shown = useRef({ conversation: new Conversation(), count: 0 });
  useEffect(() => {
    let isStale = false;
    readJournal(view).then((events) => !isStale && setPlayback(playbackOf(events)), (error) => setProblem(problemOf(error)));
    return () => { isStale = true; };
  }, [view]);
  useEffect(() => {
    if (!playback) return;
    const wanted = happened(playback, moment);
    if (wanted < shown.current.count) shown.current = { conversation: new Conversation(), count: 0 };
    shown.current.conversation.addAll(playback.events.slice(shown.current.count, wanted));
    shown.current.count = wanted;
    onChange(shown.current.conversation);
    view.version.value += 1;
  }, [playback, moment]);
  useEffect(() => {
    if (!playback || !isPlaying) return;
    const timer = setInterval(() => setMoment((before) => Math.min(playback.length, before + kFrame * speed)), kFrame);
    return () => clearInterval(timer);
  }, [playback, isPlaying, speed]);
  useEffect(() => {
    if (playback && moment >= playback.length) setPlaying(false);
  }, [playback, moment]);
  if (problem) return <div class="replay"><p class="bad" role="alert">{problem}</p><button type="button" class="button" onClick={onClose}>Close</button></div>;
  if (!playback) return <div class="replay" aria-busy="true"><p class="dim">Reading the journal</p></div>;
  return (
    <div class="replay" role="group" aria-label="Replay">
      <button type="button" class="icon-button" aria-label={isPlaying ? "Pause" : "Play"} onClick={() => { if (moment >= playback.length) setMoment(0); setPlaying(!isPlaying); }}>
        <Icon name={isPlaying ? "pause" : "play"} />
      </button>
      <input type="range" min={0} max={playback.length} step="any" value={moment} aria-label="Moment"
        aria-valuetext={`${duration(moment)} of ${duration(playback.length)}`} onInput={(event) => { setPlaying(false); setMoment(Number(event.currentTarget.value)); }} />
      <span class="replay-count mono">{happened(playback, moment)} / {playback.events.length}</span>
      <div class="segments" role="group" aria-label="Speed">
        {kSpeeds.map((value) => <button key={value} type="button" aria-pressed={speed === value} onClick={() => setSpeed(value)}>{value}{"\u00d7"}</button>)}
      </div>
      <button type="button" class="button" onClick={onClose}>Back to now</button>
    </div>
  );
}
