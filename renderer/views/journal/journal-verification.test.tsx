import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { JournalBreak } from '../../../shared/domain/journal.ts';
import { fail } from '../../../shared/failure.ts';
import { openJournal, pane, rowOf, some } from './journal-entries.fixture.tsx';

test.each([
  ['tampering', /tampering is detected/],
  ['accidents-only', /only accidental damage is detected/],
] as const)('an intact chain shows the scope of its proof: %s', async (assurance, proves) => {
  const { user } = await openJournal(some, { 'journal.verify': () => ({ rows: 4, assurance, broken: null }) });
  await screen.findByText('unreadable entry');
  await user.keyboard('{ArrowDown}v');
  expect(await screen.findByText('Journal intact: 4 entries')).toBeDefined();
  expect(screen.getByText(proves)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Dismiss' }));
  expect(screen.queryByText('Journal intact: 4 entries')).toBeNull();
});

test.each([
  ['locked', /the key is locked/],
  ['key-missing', /missing from the token store/],
] as const)('a chain without its key is not reported as intact: %s', async (assurance, why) => {
  const { user } = await openJournal(some, { 'journal.verify': () => ({ rows: 4, assurance, broken: null }) });
  await user.click(screen.getByRole('button', { name: /^Verify/ }));
  expect(await screen.findByText('Not checked for tampering: 4 entries')).toBeDefined();
  expect(screen.getByText(why)).toBeDefined();
  expect(screen.queryByText(/Journal intact/)).toBeNull();
});

const breaks: readonly [JournalBreak, string, string | null][] = [
  [{ reason: 'edited', number: 2 }, 'Entry 2 was modified', 'Show entry'],
  [{ reason: 'removed', number: 2, count: 1 }, 'Entry 2 was removed', 'Show position'],
  [{ reason: 'removed', number: 1200, count: 3 }, '3 entries were removed, starting with entry 1,200', 'Show position'],
  [{ reason: 'cut-off', number: 5, were: 1200 }, 'The end was cut off: 4 of 1,200 entries left', 'Show position'],
  [{ reason: 'rewritten', number: 4 }, 'Entry 4 or earlier entries were rewritten', 'Show entry'],
  [{ reason: 'added', number: 4 }, 'Entry 4 was not written by Vitrine', 'Show entry'],
  [{ reason: 'end-missing', number: null }, 'The end record of the journal is missing', null],
  [{ reason: 'end-edited', number: null }, 'The end record of the journal was modified', null],
  [{ reason: 'key-replaced', number: null }, 'The key in the database is not the key of this journal', null],
];

test('any damage is named, with a link to its row if it has one', async () => {
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
      screen.queryAllByRole('button', { name: /^Show (entry|position)$/ }).map(({ textContent }) => textContent),
    ).toEqual(way === null ? [] : [way]);
  }
});

test('the broken row is shown among its neighbours in the full list, however far down', async () => {
  const many = Array.from({ length: 10_000 }, (_, index) =>
    rowOf(10_000 - index, { outcome: index === 0 ? 'rare' : 'found' }),
  );
  const { user, bridge } = await openJournal(many, {
    'journal.verify': () => ({ rows: 10_000, assurance: 'tampering', broken: { reason: 'edited', number: 2000 } }),
    'journal.position': ({ number }) => ({ offset: 10_000 - number }),
  });
  await user.keyboard('/');
  await user.keyboard('rare');
  await screen.findByText('1 entry found, newest first');
  await user.click(screen.getByRole('button', { name: /^Verify/ }));
  await user.click(await screen.findByRole('button', { name: 'Show entry' }));
  expect(bridge.inputsOf('journal.position')).toEqual([{ number: 2000 }]);
  await waitFor(() => expect(document.activeElement?.textContent).toContain('2,000'));
  expect(document.activeElement?.querySelector('[aria-label=broken]')).not.toBeNull();
  expect(screen.getByText('10,000 entries, newest first')).toBeDefined();
  await waitFor(() => expect(pane().textContent).toContain('Entry 2,000'));
});

test('a failed check gives the reason and a retry', async () => {
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
  expect(await screen.findByText('Journal intact: 4 entries')).toBeDefined();
  expect(screen.queryByRole('alert')).toBeNull();
});
