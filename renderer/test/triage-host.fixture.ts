import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { type TriageRow, triageSeverities, type TriageFilter, triageStates } from '../../shared/domain/triage.ts';
import type { Job } from '../../shared/domain/job.ts';
import { bulkJob } from '../components/jobs/job.fixture.ts';
import { emptyTriage, type GivenAnswers } from './memory-bridge.ts';

const triageJob: Job = { ...bulkJob, id: 230, task: { kind: 'triage' }, state: 'done' };

/** A host that looks up many hashes; every row is unknown unless `rowFor`, asked at each reading, gives another one. */
export function triageHost(
  rowFor: (hash: string) => Partial<TriageRow> = () => ({}),
  job: Partial<Job> = {},
): GivenAnswers {
  const hashes: string[] = [];
  const rowsNow = (): TriageRow[] =>
    hashes.map((hash, index) => ({
      position: index + 1,
      hash,
      state: 'unknown',
      sample: null,
      firstSeen: null,
      isScanned: false,
      failure: null,
      conflicts: [],
      ...rowFor(hash),
    }));
  const countOf = <Word extends string>(words: readonly Word[], wordOf: (row: TriageRow) => Word | null) =>
    Object.fromEntries(words.map((word) => [word, rowsNow().filter((row) => wordOf(row) === word).length]));
  const seen = ({ states, find }: TriageFilter): TriageRow[] =>
    rowsNow().filter(
      ({ state, hash }) => (states.length === 0 || states.includes(state)) && hash.includes(find.toLowerCase()),
    );
  return {
    'triage.add': (added) => {
      hashes.push(...added.hashes);
      return { items: hashes.length };
    },
    'triage.start': () => ({ ...triageJob, items: hashes.length, ...job }),
    'triage.rows': ({ filter, offset, limit }) => {
      const meant = seen(filter);
      return {
        rows: meant.slice(offset, offset + limit),
        total: meant.length,
        answered: hashes.length,
        isStale: false,
      };
    },
    'triage.ticked': ({ filter, only, offset, limit }) => {
      const meant = seen(filter).filter(({ position }) => only.positions.includes(position) !== only.isExcept);
      const ticked = meant.map(({ hash, sample, state }) => ({
        hash,
        sample: sample?.hash ?? null,
        toDownload: state === 'repository' || state === 'known' ? (sample?.md5 ?? hash) : null,
      }));
      return { rows: ticked.slice(offset, offset + limit), total: ticked.length };
    },
    'triage.counts': () => ({
      states: { ...emptyTriage.states, ...countOf(triageStates, ({ state }) => state) },
      severities: {
        ...emptyTriage.severities,
        ...countOf(triageSeverities, ({ sample }) => sample && (sample.severity ?? 'not-set')),
      },
      requests: {
        waiting: rowsNow().filter(({ state }) => state === 'waiting').length,
        failed: rowsNow().filter(({ state }) => state === 'failed').length,
        cancelled: rowsNow().filter(({ state }) => state === 'cancelled').length,
      },
    }),
    'triage.selected': ({ only: { isExcept, positions } }) => {
      const meant = rowsNow().filter(({ position }) => positions.includes(position) !== isExcept);
      const toCome = meant.filter(({ state }) => state === 'repository' || state === 'known');
      return {
        rows: meant.length,
        samples: new Set(meant.map(({ sample, hash }) => sample?.hash ?? hash)).size,
        known: new Set(meant.flatMap(({ sample }) => sample?.hash ?? [])).size,
        inVault: meant.filter(({ state }) => state === 'vault').length,
        toDownload: toCome.length,
        bytes: toCome.reduce((sum, { sample }) => sum + (sample?.sizeBytes ?? 0), 0),
        unsized: 0,
      };
    },
  };
}

/** Waits until the row of this hash has the focus. */
export const openedRow = (hash: string): Promise<void> =>
  waitFor(() => expect(document.activeElement?.textContent).toContain(hash.slice(0, 12)));
