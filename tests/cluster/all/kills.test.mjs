// Many sessions and watchers, while a node is killed every 20 seconds.

import { after, it } from 'node:test';
import { Proof, SEED } from '../mix/proof.mjs';

let proof;
after(() => proof?.end());

it(`R-CLUSTER-3, 6: 200 sessions and 300 watchers lose nothing while nodes are killed for five minutes (seed ${SEED})`, async (test) => {
  proof = new Proof(test);
  const faults = { kinds: ['killNode'], every: 20_000 };
  await proof.run({ minutes: 5, sessions: 200, watchers: 270, mcpWatchers: 30, faults });
});
