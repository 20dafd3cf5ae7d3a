import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { JournalBreak } from '../../../shared/domain/journal.ts';
import { fail } from '../../../shared/failure.ts';
import { rowOf, some, openJournal, pane } from './journal-entries.fixture.tsx';

const breaks: readonly [JournalBreak, string, string | null][] = [
  [{ reason: 'edited', number: 2 }, 'Row 2 was edited', 'Show the row'],
  [{ reason: 'removed', number: 2, count: 1 }, 'Row 2 was removed', 'Show where'],
  [{ reason: 'removed', number: 1200, count: 3 }, '3 rows were removed, from row 1,200 on', 'Show where'],
  [
    { reason: 'cut-off', number: 5, were: 1200 },
    'The end was cut off: there were 1,200 rows, and 4 are left',
    'Show where',
  ],
  [{ reason: 'rewritten', number: 4 }, 'Row 4, or rows before it, were written anew', 'Show the row'],
  [{ reason: 'added', number: 4 }, 'Row 4 was added from outside', 'Show the row'],
  [{ reason: 'end-missing', number: null }, 'The record of where the journal ends is gone', null],
  [{ reason: 'end-edited', number: null }, 'The record of where the journal ends was edited', null],
  [{ reason: 'key-replaced', number: null }, 'The key in the database is not that of the journal', null],
];

test('whatever is broken is named, with the way to it where it is at a row', async () => {
  let now: JournalBreak | null = null;
  const { user } = await openJournal(some, {
    'journal.verify': () => ({ rows: 4, assurance: 'tampering', broken: now }),
  });
  const verify = screen.getByRole('button', { name: /^Verify/ });
  for (const [broken, title, way] of breaks) {
    now = broken;
    await user.click(verify);
    expect(await screen.findByText(title)).toBeDefined();
    expect(
      screen.queryAllByRole('button', { name: /^Show (the row|where)$/ }).map(({ textContent }) => textContent),
    ).toEqual(way === null ? [] : [way]);
  }
});

test('the broken row is shown among its neighbours in the list of all, however far down', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    rowOf(10_000 - index, { outcome: index === 0 ? 'rare' : 'found' }),
  );
  const { user, bridge } = await openJournal(many, {
    'journal.verify': () => ({ rows: 10_000, assurance: 'tampering', broken: { reason: 'edited', number: 2000 } }),
    'journal.position': ({ number }) => ({ offset: 10_000 - number }),
  });
  await user.keyboard('/');
  await user.keyboard('rare');
  await screen.findByText('1 row found, newest first');
  await user.click(screen.getByRole('button', { name: /^Verify/ }));
  await user.click(await screen.findByRole('button', { name: 'Show the row' }));
  expect(bridge.inputsOf('journal.position')).toEqual([{ number: 2000 }]);
  await waitFor(() => expect(document.activeElement?.textContent).toContain('2,000'));
  expect(document.activeElement?.querySelector('[aria-label=broken]')).not.toBeNull();
  expect(screen.getByText('10,000 rows, newest first')).toBeDefined();
  await waitFor(() => expect(pane().textContent).toContain('Row 2,000'));
});

test('a check that could not be made says why, and is made again', async () => {
  let times = 0;
  const { user } = await openJournal(some, {
    'journal.verify': () =>
      (times += 1) === 1
        ? fail({ kind: 'data-damaged', path: '/data', code: 'x' })
        : { rows: 4, assurance: 'tampering', broken: null },
  });
  await user.click(screen.getByRole('button', { name: /^Verify/ }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('The database is damaged');
  await user.click(screen.getByRole('button', { name: /^Verify/ }));
  expect(await screen.findByText('The journal holds: 4 rows')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
