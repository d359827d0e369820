import { render } from "preact";
import { startAttention } from "./app/attention";
import { startClock } from "./app/clock";
import { startRouter } from "./app/router";
import { start } from "./app/store";
import { startWatchers } from "./app/watchers";
import { Shell } from "./views/shell";

startRouter();
startClock();
start();
startWatchers();
startAttention();
render(<Shell />, document.getElementById("app")!);
