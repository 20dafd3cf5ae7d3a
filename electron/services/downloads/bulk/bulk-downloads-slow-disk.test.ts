import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Vault } from '../../../vault/vault.ts';
import { createTestBulkDownloads, repositoryOf, samplesNamed } from './bulk-downloads.fixture.ts';

interface StandingDisk {
  /** Commits that have not begun to be written, when no more come. */
  waiting(): Promise<number>;
  goOn(): void;
}

function stopDisk(vault: Vault): StandingDisk {
  const { promise: resumesUnfinished, resolve: goOn } = Promise.withResolvers<void>();
  const batch = vault.batch.bind(vault);
  let waiting = 0;
  const spy = vi.spyOn(vault, 'batch').mockImplementation(() => {
    const real = batch();
    return {
      ...real,
      commit: (alongside) => {
        waiting += 1;
        return resumesUnfinished.then(() => real.commit(alongside));
      },
    };
  });
  onTestFinished(() => spy.mockRestore());
  return {
    waiting: async () => {
      for (let before = 0; waiting === 0 || waiting > before; await pause(500)) before = waiting;
      return waiting;
    },
    goOn: () => {
      spy.mockRestore();
      goOn();
    },
  };
}

test('samples and outcomes wait at their source, not in memory, when the disk is slower', async () => {
  const samples = samplesNamed(...Array.from({ length: 400 }, (_, number) => `sample ${number}`));
  const setup = await createTestBulkDownloads(repositoryOf(samples));
  for (const expected of ['done', 'already-here'] as const) {
    const disk = stopDisk(setup.vault);
    const download = setup.download([...samples.keys()]);
    expect(await disk.waiting(), expected).toBeLessThan(45);
    disk.goOn();
    expect((await download).counts[expected]).toBe(samples.size);
  }
}, 60_000);
