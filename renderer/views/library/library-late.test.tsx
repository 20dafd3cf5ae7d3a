import { scanJob } from '../../components/jobs/job.fixture.ts';
import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import type { Job } from '../../../shared/domain/job.ts';
import { fail } from '../../../shared/failure.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { putIn } from '../../test/put-in.ts';
import { LibraryHost } from './library-host.fixture.ts';
import { actions, all, expectRows, field, openLibrary, rows, some, table } from './open-library.fixture.tsx';

type Held = PromiseWithResolvers<'made' | 'refused'>;

const inNotification = (name: string): Promise<HTMLElement> =>
  within(screen.getByRole('region', { name: /^Notifications/ })).findByRole('button', { name });

/** A library whose changes, removals and answers the test releases one by one. */
async function openHeld(more: GivenAnswers = {}) {
  const host = new LibraryHost(some);
  const { 'library.change': change, 'library.forget': forget, 'library.facts': facts } = host.answers;
  const held: Held[] = [];
  const isMade = async (): Promise<boolean> => {
    const answer: Held = Promise.withResolvers();
    held.push(answer);
    return (await answer.promise) === 'made';
  };
  const page = await openLibrary(host, {
    ...more,
    'library.change': async (input: OperationInput<'library.change'>) =>
      (await isMade()) && change !== undefined ? change(input) : fail({ kind: 'host-gone' }),
    'library.forget': async (input: OperationInput<'library.forget'>) =>
      (await isMade()) && forget !== undefined ? forget(input) : fail({ kind: 'host-gone' }),
    'library.facts': async (input: OperationInput<'library.facts'>) =>
      (await isMade()) && facts !== undefined ? facts(input) : fail({ kind: 'host-gone' }),
  });
  await expectRows(all);
  const answer = async (how: 'made' | 'refused'): Promise<void> => {
    await waitFor(() => expect(held).not.toEqual([]));
    await act(async () => held.shift()?.resolve(how));
  };
  return { ...page, host, answer };
}

type Page = Awaited<ReturnType<typeof openHeld>>;
const go = (at: number): void => rows()[at]?.focus();
const noteField = (): HTMLTextAreaElement => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Note' });
const note = async ({ user }: Page, at: number, text: string): Promise<void> => {
  go(at);
  await user.click(within(actions()).getByRole('button', { name: 'Note…' }));
  await screen.findByRole('dialog', { name: /^Add to the note/ });
  await putIn(user, noteField(), text);
};
const addNote = ({ user }: Page): Promise<void> => user.click(screen.getByRole('button', { name: 'Add note' }));
const askToForget = async ({ user }: Page): Promise<HTMLElement> => {
  await user.keyboard('{Delete}');
  const question = await screen.findByRole('alertdialog');
  await user.click(within(question).getByRole('radio', { name: /^All local data/ }));
  return question;
};
const openUpload = ({ user }: Page): Promise<void> => user.click(screen.getByRole('button', { name: /^Upload/ }));

test('a tag refused after its sample page was left is reported, and can be added again', async () => {
  const { user, host, answer } = await openHeld();
  await user.dblClick(rows()[1] ?? table());
  await screen.findByRole('heading', { level: 2, name: 'update.dll' });
  await user.keyboard('tpacked{Enter}{Escape}{Escape}');
  await expectRows(all);
  await answer('refused');
  expect(await screen.findByText(/^update\.dll was not changed: /)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await answer('made');
  await waitFor(() => expect(host.rows[1]?.tags).toEqual(['packed']));
});

test(
  'a note added late leaves the dialog of another sample open, with its typed text',
  { tags: ['long'] },
  async () => {
    const page = await openHeld();
    await note(page, 0, 'first');
    await addNote(page);
    await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
    await note(page, 1, 'second');
    await page.answer('made');
    expect(await screen.findByText('Note added to 1 sample')).toBeDefined();
    expect(screen.getByRole('dialog', { name: 'Add to the note of “update.dll”' })).toBeDefined();
    expect(noteField().value).toBe('second');
  },
);

test('a note refused after its dialog was left is reported and reopens with its text from any view', async () => {
  const page = await openHeld();
  await note(page, 0, 'three lines of thought');
  await addNote(page);
  await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await openUpload(page);
  await page.answer('refused');
  expect(await screen.findByText(/^The note was not added to “invoice\.scr”:/)).toBeDefined();
  await page.user.click(screen.getByRole('button', { name: 'Open note' }));
  expect(await screen.findByRole('dialog', { name: 'Add to the note of “invoice.scr”' })).toBeDefined();
  expect(noteField().value).toBe('three lines of thought');
  await addNote(page);
  await page.answer('made');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(page.bridge.inputsOf('library.change')).toMatchObject(
    [0, 1].map(() => ({
      selection: { kind: 'named', hashes: [some[0]?.hash] },
      change: { note: 'three lines of thought' },
    })),
  );
});

test('samples forgotten late leave another dialog open and later ticks in place', async () => {
  const page = await openHeld();
  const { user } = page;
  go(0);
  await user.keyboard('x');
  const first = await askToForget(page);
  await user.click(within(first).getByRole('button', { name: 'Forget 1 sample' }));
  await user.click(within(first).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  go(1);
  await user.keyboard('x{ArrowUp}x{ArrowDown}');
  await askToForget(page);
  await page.answer('made');
  expect(await screen.findByText('1 sample forgotten')).toBeDefined();
  expect(screen.getByRole('alertdialog', { name: 'Forget “update.dll”?' })).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(within(actions()).getByText('1 selected')).toBeDefined();
});

test('forgetting all results of a search late keeps later ticks in another search', async () => {
  const page = await openHeld();
  const { user } = page;
  await user.type(field(), 'invoice');
  await expectRows(['invoice.scr']);
  go(0);
  await user.keyboard('{Control>}a{/Control}');
  const question = await askToForget(page);
  // Which of them have a copy in the vault.
  await page.answer('made');
  await user.click(within(question).getByRole('button', { name: 'Forget 1 sample' }));
  await user.click(within(question).getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  await user.clear(field());
  await user.type(field(), 'update');
  await expectRows(['update.dll']);
  go(0);
  await user.keyboard('{Control>}a{/Control}');
  await page.answer('made');
  expect(await screen.findByText('1 sample forgotten')).toBeDefined();
  expect(within(actions()).getByText('1 selected')).toBeDefined();
});

test('a failed forgetting of samples is reported even after its prompt was left', async () => {
  const page = await openHeld();
  go(0);
  const question = await askToForget(page);
  await page.user.click(within(question).getByRole('button', { name: 'Forget 1 sample' }));
  await page.user.click(within(question).getByRole('button', { name: 'Cancel' }));
  await page.answer('refused');
  expect(await screen.findByText(/^Not forgotten: /)).toBeDefined();
});

test('an export dialog left while loading is offered in the current view, and opens on request', async () => {
  const page = await openHeld();
  const { user } = page;
  go(0);
  await user.keyboard('e');
  await user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
  await openUpload(page);
  await page.answer('made');
  await user.click(await inNotification('Export…'));
  expect(await screen.findByRole('dialog', { name: /^Export/ })).toBeDefined();
  expect(screen.getByRole('heading', { level: 1, name: 'Upload', hidden: true })).toBeDefined();
});

test('the export prompt does not interrupt typing', async () => {
  const page = await openHeld();
  const { user } = page;
  go(0);
  await user.keyboard('e');
  await user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
  await user.click(field());
  await user.keyboard('inv');
  await page.answer('made');
  expect(await inNotification('Export…')).toBeDefined();
  expect(screen.queryByRole('dialog')).toBeNull();
  await user.keyboard('oice');
  expect(field().value).toBe('invoice');
});

test('the export prompt opens at once when its view is still shown', async () => {
  const page = await openHeld();
  go(0);
  await page.user.keyboard('e');
  await page.user.click(await screen.findByRole('menuitem', { name: /^Password ZIP/ }));
  await page.answer('made');
  expect(await screen.findByRole('dialog', { name: /^Export/ })).toBeDefined();
  await page.user.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('a scan whose samples were still loading when its view was left keeps the current view', async () => {
  const started = Promise.withResolvers<Job>();
  const page = await openHeld({ 'scans.start': () => started.promise });
  go(0);
  await page.user.keyboard('s');
  await openUpload(page);
  await page.answer('made');
  await waitFor(() => expect(page.bridge.inputsOf('scans.start')).toHaveLength(1));
  await act(async () => started.resolve(scanJob));
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Upload');
});
