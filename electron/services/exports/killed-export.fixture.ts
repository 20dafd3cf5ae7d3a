import { randomBytes } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { argv, kill, pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { exportForm } from '../../../shared/domain/job.ts';
import { unfinishedNameOf } from '../../archive/export/export-manifest.ts';
import { createTestExports, samples } from './exports.fixture.ts';

/**
 * A program of its own that begins an export, and is killed while its first sample is written and the second is looked
 * for. Given: folder, form.
 */
const form = exportForm.parse(argv[3]);
const contents = [randomBytes(300_000), randomBytes(400_000)];
/** What is not kept back in a worker until there is more. */
const seenBytes = 256 * 1024;
let asked = 0;

const setup = await createTestExports(argv[2], (vault) => ({
  read: (sha256) => vault.read(sha256),
  sourceOf: (sha256) => vault.sourceOf(sha256),
  unreadable: (sha256, reason) => vault.unreadable(sha256, reason),
  async hashesOf(sha256) {
    asked += 1;
    if (asked === contents.length) await die();
    return vault.hashesOf(sha256);
  },
}));
// It is killed, and Node stores nothing of what such a program compiled unless it is made to.
flushCompileCache();
const sha256s: string[] = [];
for (const bytes of contents) sha256s.push(await setup.keep(bytes));
await setup.exportJobs.start(
  samples(...sha256s),
  form === 'raw' ? { form, confirmed: true } : { form, encryption: 'aes-256', password: 'infected' },
  setup.folder,
);

async function die(): Promise<void> {
  while (written(join(setup.folder, unfinishedNameOf(setup.stores.backups.installationId, 1))) < seenBytes)
    await pause(1);
  kill(pid, 'SIGKILL');
}

function written(path: string): number {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found?.isDirectory()) return found?.size ?? 0;
  return readdirSync(path).reduce((sum, name) => sum + statSync(join(path, name)).size, 0);
}
