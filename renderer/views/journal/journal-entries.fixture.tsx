import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { screen, within } from '@testing-library/react';
import type { OperationInput } from '../../../shared/contract.ts';
import type { JournalLine, JournalRow } from '../../../shared/domain/journal.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { md5 } from '../../test/quiet-host.ts';

export const rowOf = (number: number, row: Partial<JournalRow> = {}): JournalLine => ({
  number,
  row: {
    number,
    time: '2026-11-18T14:21:07.123Z',
    workspaceId: 'lab',
    operation: 'look-up',
    hash: md5,
    outcome: 'found',
    detail: {},
    ...row,
  },
});
/** Newest first. */
export const some: readonly JournalLine[] = [
  rowOf(4, { operation: 'export', workspaceId: null, hash: null, outcome: 'no-export-folder' }),
  { number: 3, row: null },
  rowOf(2, {
    operation: 'upload',
    outcome: 'done',
    detail: { sizeBytes: 2048, virusTotal: true, sandbox: false, tlp: null },
  }),
  rowOf(1),
];

export function answerList(all: readonly JournalLine[]) {
  return ({ filter: { operations, find }, upTo = Infinity, offset, limit }: OperationInput<'journal.list'>) => {
    const meant = all.filter(
      ({ row }) =>
        (operations.length === 0 || (row !== null && operations.includes(row.operation))) &&
        (row?.outcome ?? '').includes(find),
    );
    const shown = meant.filter((each) => each.number <= upTo);
    return {
      lines: shown.slice(offset, offset + limit),
      total: shown.length,
      newest: shown[0]?.number ?? null,
      newer: meant.length - shown.length,
    };
  };
}

export async function openJournal(all: readonly JournalLine[] = some, more: GivenAnswers = {}) {
  const page = await open({ 'journal.list': answerList(all), ...more });
  await page.user.keyboard('{Control>}9{/Control}');
  await screen.findByRole('heading', { level: 1, name: 'Journal' });
  return page;
}

export const rows = (): (string | null)[] =>
  within(screen.getByRole('grid'))
    .getAllByRole('row')
    .slice(1)
    .map(({ textContent }) => textContent);
export const line = async (words: string): Promise<HTMLElement> =>
  within(await screen.findByRole('grid')).findByText(words);
export const pane = (): HTMLElement => screen.getByRole('region', { name: /^Entry \d/ });
export const lastFilter = (bridge: { inputsOf(name: 'journal.list'): unknown[] }): unknown =>
  (bridge.inputsOf('journal.list').at(-1) as OperationInput<'journal.list'>).filter;
