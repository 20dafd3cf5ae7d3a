import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import { labWorkspaceId as workspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarSha256, eicarString } from '../../eicar.ts';
import { type Desk, downloaded, endedJob, exportsOf, finishedJob, latestJob, until } from '../desk.ts';
import type { DurableChange } from '../durable-change.ts';
import { filesIn } from '../zip-members.ts';

const passphrase = 'a passphrase of bundles';
const note = 'a note that goes along';
const selection = { kind: 'named' as const, hashes: [eicarSha256] };

/** A sample with its note, out of a bundle. */
export const bundleImport: DurableChange = {
  name: 'bundle import',
  prepare: async (desk) => {
    const bundle = await written(desk);
    await desk.call('library.forget', { selection, what: 'all', expected: null });
    return {
      ready: async (killed) => void (await opened(killed, bundle)),
      make,
      look: (started, wasTold) => look(started, wasTold, bundle),
      live: [eicarString],
    };
  },
};

/** One sealed, signed file in the export folder. */
export const bundleExport: DurableChange = {
  name: 'bundle export',
  prepare: async (desk) => {
    await annotated(desk);
    return { make: begun, look: lookAtFile, live: [eicarString] };
  },
};

async function annotated(desk: Desk): Promise<void> {
  await downloaded(desk, workspaceId, eicarMd5);
  await desk.call('library.note', { sha256: eicarSha256, text: note });
}

async function begun(desk: Desk): Promise<void> {
  const parts = { samples: true, notes: true, threads: false, rules: false };
  const { id } = await desk.call('bundles.start', {
    selection,
    parts,
    title: 'Crash',
    author: 'Crash',
    passphrase,
    workspaceId,
  });
  assert.equal((await endedJob(desk, id)).counts.done, 1);
}

async function written(desk: Desk): Promise<Buffer> {
  await annotated(desk);
  await begun(desk);
  const [path = ''] = await filesIn(exportsOf(desk.folder));
  const bytes = await readFile(path);
  await rm(path);
  return bytes;
}

async function lookAtFile(desk: Desk, wasTold: boolean): Promise<void> {
  const there = await filesIn(exportsOf(desk.folder));
  assert.ok(there.length === 1 || !wasTold, 'the program had told that the bundle is written, and it is not there');
  if (there.length === 0) await begun(desk);
  const [path = '', ...more] = await filesIn(exportsOf(desk.folder));
  assert.deepEqual(more, [], 'the export folder keeps what is no bundle');
  const { state, id } = await opened(desk, await readFile(path));
  assert.equal(state, 'ready');
  await desk.call('bundles.close', { id });
}

/** Reads it from end to end, to be taken in. */
async function opened(desk: Desk, bundle: Buffer): Promise<BundleOpening> {
  const { id: stagedId } = await desk.stage('crash.vitrine', bundle);
  await desk.call('bundles.open', { stagedId, passphrase });
  return until(async () => {
    const { opening } = await desk.call('bundles.opening', {});
    return opening === null || opening.state === 'reading' ? null : opening;
  });
}

async function make(desk: Desk): Promise<void> {
  const { opening } = await desk.call('bundles.opening', {});
  const { id } = await desk.call('bundles.import', { id: opening?.id ?? '', workspaceId });
  assert.equal((await endedJob(desk, id)).counts.done, 1);
}

async function look(desk: Desk, wasTold: boolean, bundle: Buffer): Promise<void> {
  const before = (await desk.call('bundles.opening', {})).opening;
  if (before !== null) await desk.call('bundles.close', { id: before.id });
  const wasTakenIn = await takenIn(desk);
  assert.ok(wasTakenIn || !wasTold, 'the program had told that the bundle is taken in, and its job does not say so');
  if (!wasTakenIn) {
    const { id } = await opened(desk, bundle);
    await make(desk);
    await desk.call('bundles.close', { id });
  }
  const { row, note: kept } = await desk.call('library.sample', { hash: eicarSha256 });
  assert.equal(row.vault, 'held');
  assert.equal(kept?.text, note);
}

/** What was interrupted is read anew: the passphrase is stored nowhere. */
async function takenIn(desk: Desk): Promise<boolean> {
  const job = await latestJob(desk, 'bundle-import');
  return job !== null && (await finishedJob(desk, job.id)).counts.done === 1;
}
