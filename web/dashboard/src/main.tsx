import { render } from "preact";
import { takeLoginLink } from "./app/access";
import { startAttention } from "./app/attention";
import { startClock } from "./app/clock";
import { startLiveness } from "./app/liveness";
import { startOutcomes } from "./app/outcomes";
import { startRights } from "./app/rights";
import { startRouter } from "./app/router";
import { start } from "./app/store";
import { startWatchers } from "./app/watchers";
import { Shell } from "./views/shell";

void takeLoginLink().finally(() => {
  startRouter();
  startClock();
  start();
  startRights();
  startLiveness();
  startOutcomes();
  startWatchers();
  startAttention();
  render(<Shell />, document.getElementById("app")!);
});
