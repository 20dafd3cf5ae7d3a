import { bulkJob } from '../components/jobs/job.fixture.ts';
import './page-surroundings.ts';
import { act, fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { type ReactNode, useState } from 'react';
import { expect, test } from 'vitest';
import type { OperationName } from '../../shared/contract.ts';
import type { ExportResult } from '../../shared/domain/export.ts';
import { fail } from '../../shared/failure.ts';
import { MakeBundleDialog } from '../features/bundle/make-bundle-dialog.tsx';
import { CaseDialog } from '../features/case/case-dialog.tsx';
import { ExportSelectionDialog } from '../features/export/selection-dialog.tsx';
import { MuteDialog } from '../features/mutes/mute-dialogs.tsx';
import { ExportSampleDialog } from '../features/sample/sample-actions.tsx';
import { type GivenAnswers, MemoryBridge } from './memory-bridge.ts';
import { host, muteUndo, sha256 } from './quiet-host.ts';
import { TestProviders } from './test-providers.fixture.tsx';

type Ask = (close: () => void) => ReactNode;

/** Two dialogs of a kind, one after the other, with the answers of the first held back. */
function show(ask: Ask, answers: GivenAnswers) {
  function Page() {
    const [number, setNumber] = useState(1);
    const [isOpen, setOpen] = useState(true);
    return (
      <>
        {isOpen && <div key={number}>{ask(() => setOpen(false))}</div>}
        <button
          type="button"
          onClick={() => {
            setNumber(2);
            setOpen(true);
          }}
        >
          another
        </button>
      </>
    );
  }
  render(
    <TestProviders bridge={new MemoryBridge(answers)}>
      <Page />
    </TestProviders>,
  );
  const user = userEvent.setup();
  const press = async (name: string): Promise<void> => user.click(await screen.findByRole('button', { name }));
  return { user, press };
}

const mute: Ask = (close) => <MuteDialog workspaceId="lab" rule="config_xor" onClose={close} />;
const exporting: Ask = (close) => (
  <ExportSelectionDialog selection={{ kind: 'samples', sha256s: [sha256] }} count={1} onClose={close} />
);

test('a rule muted after its dialog was left is reported with Undo, and another open dialog stays', async () => {
  const answer = Promise.withResolvers<void>();
  const { user, press } = show(mute, {
    'mutes.add': async (draft) => {
      await answer.promise;
      return {
        ...draft,
        id: 1,
        created: '2026-11-18T14:21:00.000Z',
        ruleNow: 'same',
        hasExpired: false,
        undo: muteUndo,
        replaces: false,
      };
    },
  });
  await user.type(await screen.findByRole('textbox', { name: 'Reason' }), 'noisy{Enter}');
  await press('Cancel');
  await press('another');
  await act(async () => answer.resolve());
  expect(await screen.findByText('config_xor muted')).toBeDefined();
  expect(screen.getByRole('button', { name: /^Undo/, hidden: true })).toBeDefined();
  expect(screen.getByRole('dialog', { name: 'Mute config_xor?' })).toBeDefined();
});

test('an export refused after its dialog was left is reported', async () => {
  const answer = Promise.withResolvers<void>();
  const { press } = show(exporting, {
    'host.describe': () => ({ ...host, exportFolder: '/exports' }),
    'exports.start': async () => {
      await answer.promise;
      return fail({ kind: 'data-gone', path: '/data' });
    },
  });
  await press('Export to folder');
  await press('Cancel');
  await act(async () => answer.resolve());
  expect(await screen.findByText(/^Export of 1 sample could not start: /)).toBeDefined();
});

const withFolder: GivenAnswers = { 'host.describe': () => ({ ...host, exportFolder: '/exports' }) };
const exportingOne: Ask = (close) => <ExportSampleDialog sha256={sha256} onClose={close} />;
const bundling: Ask = (close) => (
  <MakeBundleDialog
    selection={{ kind: 'named', hashes: [sha256] }}
    count={1}
    title="update_helper.dll"
    onClose={close}
  />
);
const casing: Ask = (close) => (
  <CaseDialog selection={{ kind: 'named', hashes: [sha256] }} count={1} title="update_helper.dll" onClose={close} />
);
const prepared: ExportResult = { kind: 'browser', id: 'e'.repeat(64), fileName: 'prepared.zip' };
const passphrase = 'kestrel otter brine lantern quill';

/** A dialog that was sent with this button and left before the answer, which `answer` gives. */
async function showLeft(ask: Ask, name: OperationName, verb: string, given: () => unknown, before: GivenAnswers = {}) {
  const answer = Promise.withResolvers<void>();
  const held = async () => {
    await answer.promise;
    return given();
  };
  const page = show(ask, { ...before, [name]: held });
  if (ask === bundling) await signBundle();
  await page.press(verb);
  await page.press('Cancel');
  expect(screen.queryByRole('dialog')).toBeNull();
  return { ...page, answer: () => act(async () => answer.resolve()) };
}

async function signBundle(): Promise<void> {
  const write = (field: HTMLElement, value: string): void => void fireEvent.change(field, { target: { value } });
  write(await screen.findByRole('textbox', { name: 'Author' }), 'A. Weber');
  write(screen.getByLabelText('Passphrase'), passphrase);
  write(screen.getByLabelText('Repeat passphrase'), passphrase);
}

const gone = () => fail({ kind: 'data-gone', path: '/data' });

test.each<[string, Ask, OperationName, string, RegExp, GivenAnswers]>([
  ['one sample', exportingOne, 'samples.exportZip', 'Export as download', /^bf5549086c34 was not exported: /, {}],
  ['many as a download', exporting, 'exports.prepare', 'Export as download', /^Export of 1 sample failed: /, {}],
  ['a bundle', bundling, 'bundles.start', 'Export to folder', /^The bundle was not exported: /, withFolder],
  ['a bundle as a download', bundling, 'bundles.prepare', 'Export as download', /^The bundle was not exported: /, {}],
  ['a case', casing, 'cases.start', 'Export to folder', /^The case was not exported: /, withFolder],
])('the export of %s refused after its dialog was left is reported', async (_, ask, name, verb, reported, before) => {
  const { answer } = await showLeft(ask, name, verb, gone, before);
  await answer();
  expect(await screen.findByText(reported)).toBeDefined();
});

test.each<[string, Ask, OperationName, string, string]>([
  ['one sample', exportingOne, 'samples.exportZip', 'Export as download', 'Save ZIP'],
  ['many', exporting, 'exports.prepare', 'Export as download', 'Save ZIP'],
  ['a bundle', bundling, 'bundles.prepare', 'Export as download', 'Save bundle'],
])(
  'the download of %s ready after its dialog was left is offered in the current view',
  async (_, ask, name, verb, save) => {
    const { press, answer } = await showLeft(ask, name, verb, () => prepared);
    await answer();
    await press(save);
    expect((await screen.findByRole('link', { name: save })).getAttribute('href')).toBe(`/export/${prepared.id}`);
  },
);

test('a sample exported after its dialog was left is reported, and another open dialog stays', async () => {
  const { press, answer } = await showLeft(
    exportingOne,
    'samples.exportZip',
    'Export to folder',
    () => ({ kind: 'folder', path: `/exports/${sha256}.zip`, fileName: `${sha256}.zip`, sizeBytes: 4 }),
    withFolder,
  );
  await press('another');
  await answer();
  expect(await screen.findByText('Exported bf5549086c34 to /exports')).toBeDefined();
  expect(screen.getByRole('dialog')).toBeDefined();
});

test('a bundle whose job begins after its dialog was left is reported', async () => {
  const { answer } = await showLeft(
    bundling,
    'bundles.start',
    'Export to folder',
    () => ({
      ...bulkJob,
      id: 223,
      task: { kind: 'bundle', title: 'update_helper.dll', folder: '/exports', result: null },
    }),
    withFolder,
  );
  await answer();
  expect(await screen.findByText('Exporting the bundle (job 223)')).toBeDefined();
});
