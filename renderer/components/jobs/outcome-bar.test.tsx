import { render, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ActiveItem } from '../../../shared/domain/job.ts';
import { bulkJob } from './job.fixture.ts';
import { OutcomeBar } from './outcome-bar.tsx';

const item = (position: number, receivedBytes: number, totalBytes: number | null): ActiveItem => ({
  position,
  hash: 'a'.repeat(32),
  phase: 'receiving',
  receivedBytes,
  totalBytes,
});

/** In percent of the whole bar, by name. */
function filled(active: readonly ActiveItem[], done = 0): { label: string; share: number } {
  const { items } = bulkJob;
  const counts = { ...bulkJob.counts, waiting: items - done, done };
  const { container, unmount } = render(
    <OutcomeBar kind="bulk-download" counts={counts} items={items} active={active} />,
  );
  const bar = within(container).getByRole('img');
  const parts = [...bar.querySelectorAll<HTMLElement>('span')].map(({ className, style }) => ({
    isFilled: className !== '',
    grow: Number(style.flexGrow),
  }));
  const sum = (of: typeof parts): number => of.reduce((all, { grow }) => all + grow, 0);
  const share = (100 * sum(parts.filter(({ isFilled }) => isFilled))) / sum(parts);
  const label = bar.getAttribute('aria-label') ?? '';
  unmount();
  return { label, share };
}

test('the bar of a job begins at zero while its first items are only requested', () => {
  expect(filled([item(1, 0, null), item(2, 0, 100)])).toEqual({ label: '2 in progress', share: 0 });
});

test('the bar fills with the bytes of what is under way, and is full only at the end', () => {
  expect(filled([item(1, 50, 100)])).toEqual({ label: '1 in progress, 1 waiting', share: 25 });
  expect(filled([item(2, 100, 100)], 1).share).toBeCloseTo(97.5);
  expect(filled([], 2)).toEqual({ label: '2 done', share: 100 });
});
