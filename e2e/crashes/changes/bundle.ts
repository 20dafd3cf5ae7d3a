import assert from 'node:assert/strict';
import { readFile, rm } from 'node:fs/promises';
import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import { labWorkspaceId as workspaceId } from '../../../shared/domain/workspace.ts';
import { eicarMd5, eicarSha256, eicarString } from '../../eicar.ts';
import { type Vitrine, downloaded, endedJob, exportsOf, finishedJob, latestJob, until } from '../vitrine.ts';
import type { DurableChange } from '../durable-change.ts';
import { filesIn } from '../zip-members.ts';

const passphrase = 'a passphrase of bundles';
const note = 'a note that goes along';
const selection = { kind: 'named' as const, hashes: [eicarSha256] };

/** A sample with its note, out of a bundle. */
export const bundleImport: DurableChange = {
  name: 'bundle import',
  prepare: async (vitrine) => {
    const bundle = await written(vitrine);
    await vitrine.call('library.forget', { selection, what: 'all', expected: null });
    return {
      ready: async (killed) => void (await opened(killed, bundle)),
      make,
      look: (started, wasReported) => look(started, wasReported, bundle),
      live: [eicarString],
    };
  },
};

/** One sealed, signed file in the export folder. */
export const bundleExport: DurableChange = {
  name: 'bundle export',
  prepare: async (vitrine) => {
    await annotated(vitrine);
    return { make: begun, look: lookAtFile, live: [eicarString] };
  },
};

async function annotated(vitrine: Vitrine): Promise<void> {
  await downloaded(vitrine, workspaceId, eicarMd5);
  await vitrine.call('library.note', { sha256: eicarSha256, text: note });
}

async function begun(vitrine: Vitrine): Promise<void> {
  const parts = { samples: true, notes: true, threads: false, rules: false };
  const { id } = await vitrine.call('bundles.start', {
    selection,
    parts,
    title: 'Crash',
    author: 'Crash',
    passphrase,
    workspaceId,
  });
  assert.equal((await endedJob(vitrine, id)).counts.done, 1);
}

async function written(vitrine: Vitrine): Promise<Buffer> {
  await annotated(vitrine);
  await begun(vitrine);
  const [path = ''] = await filesIn(exportsOf(vitrine.folder));
  const bytes = await readFile(path);
  await rm(path);
  return bytes;
}

async function lookAtFile(vitrine: Vitrine, wasReported: boolean): Promise<void> {
  const there = await filesIn(exportsOf(vitrine.folder));
  assert.ok(there.length === 1 || !wasReported, 'Vitrine had reported that the bundle is written, and it is not there');
  if (there.length === 0) await begun(vitrine);
  const [path = '', ...more] = await filesIn(exportsOf(vitrine.folder));
  assert.deepEqual(more, [], 'the export folder keeps what is no bundle');
  const { state, id } = await opened(vitrine, await readFile(path));
  assert.equal(state, 'ready');
  await vitrine.call('bundles.close', { id });
}

/** Reads it from end to end, to be taken in. */
async function opened(vitrine: Vitrine, bundle: Buffer): Promise<BundleOpening> {
  const { id: stagedId } = await vitrine.stage('crash.vitrine', bundle);
  await vitrine.call('bundles.open', { stagedId, passphrase });
  return until(async () => {
    const { opening } = await vitrine.call('bundles.opening', {});
    return opening === null || opening.state === 'reading' ? null : opening;
  });
}

async function make(vitrine: Vitrine): Promise<void> {
  const { opening } = await vitrine.call('bundles.opening', {});
  const { id } = await vitrine.call('bundles.import', { id: opening?.id ?? '', workspaceId });
  assert.equal((await endedJob(vitrine, id)).counts.done, 1);
}

async function look(vitrine: Vitrine, wasReported: boolean, bundle: Buffer): Promise<void> {
  const before = (await vitrine.call('bundles.opening', {})).opening;
  if (before !== null) await vitrine.call('bundles.close', { id: before.id });
  const wasTakenIn = await takenIn(vitrine);
  assert.ok(
    wasTakenIn || !wasReported,
    'Vitrine had reported that the bundle is taken in, and its job does not report it',
  );
  if (!wasTakenIn) {
    const { id } = await opened(vitrine, bundle);
    await make(vitrine);
    await vitrine.call('bundles.close', { id });
  }
  const { row, note: kept } = await vitrine.call('library.sample', { hash: eicarSha256 });
  assert.equal(row.vault, 'held');
  assert.equal(kept?.text, note);
}

/** An interrupted import is read again: the passphrase is stored nowhere. */
async function takenIn(vitrine: Vitrine): Promise<boolean> {
  const job = await latestJob(vitrine, 'bundle-import');
  return job !== null && (await finishedJob(vitrine, job.id)).counts.done === 1;
}
