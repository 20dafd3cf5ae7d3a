import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';
import { type TriageRow, triageSeverities, type TriageState, triageStates } from '../../shared/domain/triage.ts';
import type { Job } from '../../shared/domain/job.ts';
import { bulkJob } from '../components/jobs/job.fixture.ts';
import { emptyTriage, type GivenAnswers } from './memory-bridge.ts';

const triageJob: Job = { ...bulkJob, id: 230, task: { kind: 'triage' }, state: 'done' };

/** A host that looks up many hashes; every row is unknown unless `rowFor` gives another one. */
export function triageHost(
  rowFor: (hash: string) => Partial<TriageRow> = () => ({}),
  job: Partial<Job> = {},
): GivenAnswers {
  const rows: TriageRow[] = [];
  const countOf = <Word extends string>(words: readonly Word[], wordOf: (row: TriageRow) => Word | null) =>
    Object.fromEntries(words.map((word) => [word, rows.filter((row) => wordOf(row) === word).length]));
  const seen = (states: readonly TriageState[]): TriageRow[] =>
    rows.filter(({ state }) => states.length === 0 || states.includes(state));
  return {
    'triage.add': ({ hashes }) => {
      for (const hash of hashes)
        rows.push({
          position: rows.length + 1,
          hash,
          state: 'unknown',
          sample: null,
          firstSeen: null,
          isScanned: false,
          failure: null,
          conflicts: [],
          ...rowFor(hash),
        });
      return { items: rows.length };
    },
    'triage.start': () => ({ ...triageJob, items: rows.length, ...job }),
    'triage.rows': ({ filter: { states }, only, offset, limit }) => {
      const meant = seen(states).filter(
        ({ position }) => only === undefined || only.positions.includes(position) !== only.isExcept,
      );
      return { rows: meant.slice(offset, offset + limit), total: meant.length, answered: 0 };
    },
    'triage.counts': () => ({
      states: { ...emptyTriage.states, ...countOf(triageStates, ({ state }) => state) },
      severities: {
        ...emptyTriage.severities,
        ...countOf(triageSeverities, ({ sample }) => sample && (sample.severity ?? 'not-set')),
      },
    }),
    'triage.selected': ({ only: { isExcept, positions } }) => {
      const meant = rows.filter(({ position }) => positions.includes(position) !== isExcept);
      const toCome = meant.filter(({ state }) => state === 'repository' || state === 'known');
      return {
        rows: meant.length,
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
