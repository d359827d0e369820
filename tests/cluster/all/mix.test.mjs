// Everything at once: sessions, publishers, and watchers that move between the nodes, while nodes and their NATS server are
// killed, frozen, stopped and wiped.

import { after, it } from 'node:test';
import { Proof, SEED } from '../mix/proof.mjs';

let proof;
after(() => proof?.end());

it(`R-CLUSTER-2, 3, 4, 6, 7: whatever fails, all nodes and watchers agree and nothing acknowledged is lost (seed ${SEED})`, async (test) => {
  proof = new Proof(test);
  await proof.run({ minutes: 0.75, sessions: 12, watchers: 30, mcpWatchers: 4 });
});
