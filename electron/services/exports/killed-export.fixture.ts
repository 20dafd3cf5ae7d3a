import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { argv, kill, pid } from 'node:process';
import { setTimeout as pause } from 'node:timers/promises';
import { exportForm } from '../../../shared/domain/job.ts';
import { openExportDesk, samples } from './export-desk.fixture.ts';

/** A program of its own that begins an export, and is killed in the middle of its second sample. Given: folder, form. */
const form = exportForm.parse(argv[3]);
const contents = [randomBytes(300_000), randomBytes(400_000)];
let reads = 0;

const desk = await openExportDesk(argv[2], (vault) => ({
  hashesOf: (sha256) => vault.hashesOf(sha256),
  async *read(sha256) {
    reads += 1;
    for await (const piece of vault.read(sha256)) {
      yield piece;
      if (reads === contents.length) await die();
    }
  },
}));
const sha256s: string[] = [];
for (const bytes of contents) sha256s.push(await desk.keep(bytes));
await desk.exportJobs.start(
  samples(...sha256s),
  form === 'raw' ? { form, confirmed: true } : { form, encryption: 'aes-256', password: 'infected' },
  desk.folder,
);

async function die(): Promise<void> {
  while (!existsSync(join(desk.folder, '.vitrine-job-1.part'))) await pause(1);
  kill(pid, 'SIGKILL');
}
