import { bulkJob } from '../components/jobs/job.fixture.ts';
import './page-surroundings.ts';
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Job } from '../../shared/domain/job.ts';
import { fail } from '../../shared/failure.ts';
import { type GivenAnswers } from './memory-bridge.ts';
import { open } from './open-page.fixture.tsx';
import { md5, sha1, sha256, usedSettings } from './quiet-host.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const other = '943252db2370a73b98bb2d261322baa7';
const listText = `Indicators\n - ${md5}\n - sha1: ${sha1}\n${other.slice(1)}\n${md5.toUpperCase()} ${sha256}\n`;

async function openBulk(answers: GivenAnswers = {}) {
  const page = await open(answers);
  await page.user.click(screen.getByRole('button', { name: /^Bulk download/ }));
  const put = async (text: string): Promise<void> => {
    await page.user.click(await screen.findByRole('textbox', { name: 'Text with hashes' }));
    await page.user.paste(text);
  };
  return { ...page, put };
}

const counts = (): string[] =>
  within(screen.getByRole('region', { name: /to download$/ }))
    .getAllByRole('definition')
    .map((count) => count.textContent);

test('a pasted text is read at once: matching counts, every rejected run with its line and reason', async () => {
  const { put, bridge } = await openBulk({
    'bulk.check': ({ hashes }) => ({
      verdicts: hashes.map((hash) => (hash === sha256 ? 'already-here' : hash === sha1 ? 'needs-md5' : 'fetch')),
    }),
  });
  await put(listText);
  expect(await screen.findByRole('heading', { name: '1 hash to download' })).toBeDefined();
  expect(counts()).toEqual(['1', '0', '1', '1', '1', '1']);
  expect(bridge.inputsOf('bulk.check')).toEqual([{ hashes: [md5, sha1, sha256] }]);
  expect(within(screen.getByRole('region', { name: '1 malformed hash' })).getByRole('listitem').textContent).toBe(
    'Line 431 hex digits, an MD5 has 32',
  );
  expect(screen.getByText('5 lines')).toBeDefined();
});

test('found hashes are copied before any fetch, and the number without such a hash is shown', async () => {
  const { put, user } = await openBulk();
  const written = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  await put(listText);
  await screen.findByRole('heading', { name: '1 hash to download' });
  // The other one copies what was rejected.
  const openMenu = async (): Promise<void> =>
    user.click(
      screen.getAllByRole('button', { name: 'Copy' }).filter((button) => button.hasAttribute('aria-keyshortcuts'))[0] ??
        document.body,
    );
  await openMenu();
  await user.click(await screen.findByRole('menuitem', { name: 'Best known hash of each' }));
  expect(await screen.findByText('Copied 3 hashes')).toBeDefined();
  expect(written.mock.lastCall).toEqual([`${md5}\n${sha1}\n${sha256}\n`]);
  await openMenu();
  await user.click(await screen.findByRole('menuitem', { name: 'SHA-1 hashes' }));
  expect(await screen.findByText('Copied 1 SHA-1 (2 samples have none)')).toBeDefined();
  expect(written.mock.lastCall).toEqual([sha1]);
});

test('a text pasted just before the field gets the focus is kept', async () => {
  await openBulk();
  const field = await screen.findByRole('textbox', { name: 'Text with hashes' });
  act(() => field.blur());
  const clipboardData = { getData: () => md5 };
  // As a slow page has them: both before the next drawing.
  await act(async () => {
    field.dispatchEvent(Object.assign(new Event('paste', { bubbles: true }), { clipboardData }));
    field.focus();
  });
  expect(await screen.findByRole('button', { name: 'Download 1 sample' })).toBeDefined();
  // Whatever the field holds is read again when the typing pauses.
  expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Text with hashes' }).value).toBe(md5);
});

test('one button creates and starts the job with all of the hashes, and it is shown as it runs', async () => {
  const { put, user, bridge } = await openBulk();
  await put(listText);
  await user.click(await screen.findByRole('button', { name: 'Download 1 sample' }));
  expect(await screen.findByText(/^Job 218, running/)).toBeDefined();
  expect(bridge.inputsOf('bulk.add')).toEqual([{ id: 218, hashes: [md5, sha1, sha256] }]);
  expect(bridge.inputsOf('bulk.start')).toEqual([{ id: 218 }]);
  expect(screen.getByRole('button', { name: 'Pause' })).toBeDefined();
});

test('samples of a list already all here can be listed, to copy or export them', async () => {
  const { put, user, bridge } = await openBulk({
    'bulk.check': ({ hashes }) => ({ verdicts: hashes.map(() => 'already-here' as const) }),
  });
  await put(md5);
  await user.click(await screen.findByRole('button', { name: 'List 1 sample' }));
  await screen.findByText(/^Job 218/);
  expect(bridge.inputsOf('bulk.add')).toEqual([{ id: 218, hashes: [md5] }]);
});

test('long lists are sent to the host in pages', async () => {
  const hashes = Array.from(
    { length: 5_001 },
    (_, index) => `${md5.slice(0, 24)}${index.toString(16).padStart(8, '0')}`,
  );
  const { put, user, bridge } = await openBulk({ 'bulk.start': () => ({ ...bulkJob, items: hashes.length }) });
  await put(hashes.join('\n'));
  await user.click(await screen.findByRole('button', { name: 'Download 5,001 samples' }));
  await screen.findByText(/^Job 218/);
  for (const [name, lengths] of [
    ['bulk.check', [1000, 1000, 1000, 1000, 1000, 1]],
    ['bulk.add', [5000, 1]],
  ] as const) {
    const pages = bridge.inputsOf(name).map((input) => (input as { hashes: string[] }).hashes);
    expect(pages.map((page) => page.length)).toEqual(lengths);
    expect(pages.flat()).toEqual(hashes);
  }
});

test('checking a text stops when it changes', async () => {
  const first = Promise.withResolvers<{ verdicts: ['fetch'] }>();
  const { put, user, bridge } = await openBulk({
    'bulk.check': ({ hashes }) =>
      hashes[0] === other ? first.promise : { verdicts: hashes.map(() => 'fetch' as const) },
  });
  await put(other);
  await waitFor(() => expect(bridge.inputsOf('bulk.check')).toHaveLength(1));
  await user.click(screen.getByRole('button', { name: 'New list' }));
  await put(`${md5} ${sha256}`);
  expect(await screen.findByRole('button', { name: 'Download 2 samples' })).toBeDefined();
  await act(async () => first.resolve({ verdicts: ['fetch'] }));
  expect(screen.getByRole('button', { name: 'Download 2 samples' })).toBeDefined();
});

test('a dropped file is read as text, whatever its encoding', async () => {
  await openBulk();
  const bytes = new Uint8Array(
    `\ufeff${md5}\r\n`.split('').flatMap((character) => [character.charCodeAt(0) & 0xff, character.charCodeAt(0) >> 8]),
  );
  drop(new File([bytes], 'indicators.txt'));
  expect(await screen.findByRole('button', { name: 'Download 1 sample' })).toBeDefined();
  expect(screen.getByText('indicators.txt')).toBeDefined();
});

test('a file that is not text is reported with the next step', async () => {
  await openBulk();
  drop(new File(['%PDF-1.7 '], 'report.pdf'));
  expect((await screen.findByRole('alert')).textContent).toBe(
    'report.pdf is not a text file (PDF)Open it in its own program, copy its text and paste it here.',
  );
});

function drop(file: File): void {
  const view = screen.getByRole('heading', { name: 'Bulk download' });
  fireEvent.drop(view, { dataTransfer: { types: ['Files'], files: { length: 1, item: () => file } } });
}

test('typed text is read when typing pauses, and Ctrl Enter sends it', async () => {
  const { user, bridge } = await openBulk();
  await user.type(await screen.findByRole('textbox', { name: 'Text with hashes' }), `see ${md5}`);
  expect(await screen.findByRole('button', { name: 'Download 1 sample' })).toBeDefined();
  await user.keyboard('{Control>}{Enter}{/Control}');
  await waitFor(() => expect(bridge.inputsOf('bulk.start')).toHaveLength(1));
});

test('a failed check is reported in place of the counts, and can be retried', async () => {
  let isDown = true;
  const { put, user } = await openBulk({
    'bulk.check': ({ hashes }) =>
      isDown ? fail({ kind: 'host-gone' }) : { verdicts: hashes.map(() => 'fetch' as const) },
  });
  await put(md5);
  expect((await screen.findByRole('alert')).textContent).toContain('Vitrine is not responding');
  isDown = false;
  await user.click(screen.getByRole('button', { name: 'Check again' }));
  expect(await screen.findByRole('button', { name: 'Download 1 sample' })).toBeDefined();
});

test('a job that fails to start gives the reason, and the list stays', async () => {
  const { put, user } = await openBulk({ 'bulk.add': () => fail({ kind: 'job-too-large', limit: 2 }) });
  await put(md5);
  await user.click(await screen.findByRole('button', { name: 'Download 1 sample' }));
  expect(await screen.findByRole('alert')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Download 1 sample' })).toBeDefined();
});

test('leaving the view and returning keeps text and job, and a finished one until a new list starts', async () => {
  const { put, user, bridge } = await openBulk();
  await put(listText);
  await user.click(await screen.findByRole('button', { name: 'Download 1 sample' }));
  await screen.findByText(/^Job 218/);
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('button', { name: /^Bulk download/ }));
  expect(await screen.findByText(/^Job 218/)).toBeDefined();
  expect(screen.getByText('5 lines')).toBeDefined();
  const done: Job = {
    ...bulkJob,
    state: 'done',
    ended: '2026-11-18T14:32:51.000Z',
    counts: { ...bulkJob.counts, waiting: 0, done: 2 },
  };
  act(() => bridge.emit('job.changed', done));
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Pause' })).toBeNull());
  await user.click(screen.getByRole('button', { name: 'New list' }));
  expect(await screen.findByRole('textbox', { name: 'Text with hashes' })).toBeDefined();
});

test('the newest running job is shown after a reload', async () => {
  await openBulk({ 'jobs.list': () => ({ jobs: [{ ...bulkJob, id: 220, workspaceId: 'w-9' }, bulkJob] }) });
  expect(await screen.findByText(/^Job 218, running/)).toBeDefined();
});

test('an empty installation can try the sample files of its lab', async () => {
  const { user } = await openBulk({
    'lab.sampleFiles': () => ({ sampleFiles: [{ md5, name: 'setup.msi', sizeBytes: 2 }] }),
  });
  await user.click(await screen.findByRole('button', { name: 'Paste sample hashes from the lab' }));
  expect(await screen.findByRole('button', { name: 'Download 1 sample' })).toBeDefined();
});

test('the two download settings are saved on leaving them, and only as valid numbers', async () => {
  const { user, bridge } = await open({ 'settings.read': () => ({ values: usedSettings, damaged: [] }) });
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(await screen.findByRole('button', { name: 'Downloads' }));
  const connections = await screen.findByRole('textbox', { name: 'Parallel requests' });
  await user.clear(connections);
  await user.type(connections, '9{Enter}');
  expect(screen.getByText('A whole number from 1 to 8')).toBeDefined();
  await user.clear(connections);
  await user.type(connections, '4{Enter}');
  expect(bridge.inputsOf('settings.change')).toEqual([{ bulkConnections: 4 }]);
});
