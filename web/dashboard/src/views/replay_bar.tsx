// The controls of a replay: position, time, speed.
import type { Replay } from "../app/replay";
import { countUpTo } from "../model/replay";
import { dayAndClock, elapsed, playTime } from "../text/format";
import { Icon } from "../ui/icons";

const kSpeeds = [1, 4, 16, 64];

export function ReplayBar({ replay, onClose }: { replay: Replay; onClose: () => void }) {
  const problem = replay.problem.value;
  const playback = replay.playback.value;
  if (problem) return <div class="replay"><p class="bad" role="alert">{problem}</p><button type="button" class="button" onClick={onClose}>Close</button></div>;
  if (!playback) return <div class="replay" aria-busy="true"><p class="dim">Loading</p></div>;
  const position = replay.position.value;
  const isPlaying = replay.isPlaying.value;
  const { elapsed: played, total } = replay.progress;
  const moment = dayAndClock(replay.moment.value);
  return (
    <div class="replay" role="group" aria-label="Replay">
      <button type="button" class="icon-button" aria-label={isPlaying ? "Pause" : "Play"} onClick={() => replay.toggle()}>
        <Icon name={isPlaying ? "pause" : "play"} />
      </button>
      <input type="range" min={0} max={playback.length} step="any" value={position} aria-label="Position"
        aria-valuetext={`${elapsed(played)} of ${elapsed(total)}, ${moment}`} onInput={(event) => replay.seek(Number(event.currentTarget.value))} />
      <span class="replay-time mono" title="Elapsed, total">{playTime(played, total)} / {playTime(total, total)}</span>
      <time class="replay-moment mono" dateTime={new Date(replay.moment.value).toISOString()}>{moment}</time>
      <span class="replay-count mono" title="Events">{countUpTo(playback, position)} / {playback.events.length}</span>
      <div class="segments" role="group" aria-label="Speed">
        {kSpeeds.map((value) => <button key={value} type="button" aria-pressed={replay.speed.value === value} onClick={() => { replay.speed.value = value; }}>{value}{"\u00d7"}</button>)}
      </div>
      <button type="button" class="button" onClick={onClose}>Exit replay</button>
    </div>
  );
}
