import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '../../src/ops/logging.ts';
import { openStores } from '../../src/store/open-stores.ts';
import { workspaceNamed } from '../installations/ids.ts';
import { once } from '../store/once.ts';
import { at, encryptionKey } from '../store/stores-under-test.ts';

// Deletes a workspace, erases what it leaves in the file, and meanwhile writes rows of another workspace: prints
// each one's number once it is stored. It is killed in the middle of that.

const [path = '', departed = '', staying = ''] = process.argv.slice(2);
const { stores, eraser } = await openStores(
  { database: { path }, encryptionKeys: [encryptionKey('k1')], lostKeyIds: [] },
  createLog({ level: 'silent' }),
);
await stores.rows.deleteAll(workspaceNamed(departed), undefined);
process.stdout.write('deleted\n');
for (let row = 0; ; row += 1) {
  // A finished erasure begins again.
  eraser.rewriteFile();
  await stores.entries.takeOnce(once(workspaceNamed(staying), `U-new-${row}`), at(0));
  process.stdout.write(`${row}\n`);
  await sleep(1);
}
