import { statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { argv, kill, pid } from 'node:process';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import { asked, createTestCases, everything } from './cases.fixture.ts';

/** A program of its own that begins to write a case, and is killed in the middle of it. Given: the folder. */
const setup = await createTestCases(argv[2], (vault) => ({
  read: (sha256) => vault.read(sha256),
  async hashesOf(sha256) {
    if (
      (statSync(join(setup.folder, unfinishedNameOf(setup.stores.backups.installationId, 1)), { throwIfNoEntry: false })
        ?.size ?? 0) > 0
    )
      kill(pid, 'SIGKILL');
    return vault.hashesOf(sha256);
  },
}));
// It is killed, and Node stores nothing of what such a program compiled unless it is made to.
flushCompileCache();
for (let number = 0; number < 3; number += 1) await setup.keep(Buffer.alloc(200_000, number + 1));
await setup.cases.start(
  { selection: everything, options: { ...asked, format: 'misp', samples: { password: 'infected' } } },
  setup.folder,
);
