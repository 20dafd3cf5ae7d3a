import './page-surroundings.ts';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import type { ExportSelection } from '../../shared/domain/export.ts';
import type { Job } from '../../shared/domain/job.ts';
import { fail } from '../../shared/failure.ts';
import { bulkJob } from '../components/jobs/job.fixture.ts';
import { ExportSelectionDialog, type Without } from '../features/export/selection-dialog.tsx';
import { type GivenAnswers, MemoryBridge } from './memory-bridge.ts';
import { host, sha256 } from './quiet-host.ts';
import { TestProviders } from './test-providers.fixture.tsx';

const selection: ExportSelection = { kind: 'samples', sha256s: [sha256] };
const startedJob = (items: number): Job => ({
  ...bulkJob,
  task: { kind: 'export', form: 'one-zip', folder: '/exports', result: null },
  items,
});
const withFolder: GivenAnswers = {
  'host.describe': () => ({ ...host, exportFolder: '/exports' }),
  'exports.start': () => startedJob(112),
};

async function openDialog(answers: GivenAnswers = withFolder, count = 112, without?: Without) {
  const bridge = new MemoryBridge(answers);
  const user = userEvent.setup();
  const onClose = vi.fn();
  render(
    <TestProviders bridge={bridge}>
      <ExportSelectionDialog selection={selection} count={count} without={without} onClose={onClose} />
    </TestProviders>,
  );
  await screen.findByRole('dialog');
  await waitFor(() => expect(bridge.inputsOf('host.describe')).toHaveLength(1));
  return { bridge, user, onClose };
}

const button = (name: string): HTMLElement => screen.getByRole('button', { name });

describe('an export of many samples', () => {
  test('starts with one ZIP as set in the settings, and the safe choice has the focus', async () => {
    await openDialog();
    expect(screen.getByRole('heading', { name: 'Export 112 samples?' })).toBeDefined();
    expect(screen.getByRole('radio', { name: 'One password ZIP' })).toHaveProperty('checked', true);
    expect(screen.getByRole('radio', { name: /^AES-256 opens with/ })).toHaveProperty('checked', true);
    expect(screen.getByRole('textbox', { name: 'Password' })).toHaveProperty('value', 'infected');
    expect(button('Cancel')).toBe(document.activeElement);
  });

  test('starts a job, reports that and closes when sent to the folder', async () => {
    const { user, bridge, onClose } = await openDialog();
    await user.click(screen.getByRole('radio', { name: 'A folder with one password ZIP per sample' }));
    await user.click(screen.getByRole('radio', { name: /ZipCrypto/ }));
    await user.click(await screen.findByRole('button', { name: 'Export to folder' }));
    expect(await screen.findByText('Exporting 112 samples')).toBeDefined();
    expect(bridge.inputsOf('exports.start')).toEqual([
      { selection, as: { form: 'zip-each', encryption: 'zipcrypto', password: 'infected' } },
    ]);
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('names the selected samples that are not in the vault, before it starts and when it has started', async () => {
    const leftOut = { count: 4, names: ['a.exe', 'b.dll', 'c'] };
    const { user } = await openDialog({ ...withFolder, 'exports.start': () => startedJob(111) }, 112, {
      of: 'samples',
      leftOut,
    });
    expect(screen.getByText('4 of 116 samples are left out: not in the vault')).toBeDefined();
    expect(screen.getByText(/^a\.exe, .*, c, and 1 more\. Download them first/)).toBeDefined();
    await user.click(await screen.findByRole('button', { name: 'Export to folder' }));
    expect(await screen.findByText('Exporting 111 of 116 samples: the others are not in the vault')).toBeDefined();
  });

  test('is one ZIP and a link that works once when sent through the browser', async () => {
    const { user, bridge, onClose } = await openDialog();
    const password = screen.getByRole('textbox', { name: 'Password' });
    await user.clear(password);
    expect(button('Export as download')).toHaveProperty('disabled', true);
    await user.type(password, 'other');
    await user.click(button('Export as download'));
    const link = await screen.findByRole('link', { name: 'Save ZIP' });
    expect(link.getAttribute('href')).toBe(`/export/${'e'.repeat(64)}`);
    expect(document.activeElement).toBe(link);
    await user.keyboard('{Enter}');
    expect(await screen.findByText(/^Saving /)).toBeDefined();
    expect(onClose).toHaveBeenCalledOnce();
    expect(bridge.inputsOf('exports.prepare')).toEqual([{ selection, encryption: 'aes-256', password: 'other' }]);
    expect(bridge.inputsOf('exports.start')).toEqual([]);
  });

  test('is not offered to the browser for several files or raw ones', async () => {
    const { user } = await openDialog();
    for (const name of ['A folder with one password ZIP per sample', /^Raw files/]) {
      await user.click(screen.getByRole('radio', { name }));
      expect(screen.queryByRole('button', { name: 'Export as download' })).toBeNull();
    }
  });

  test('prompts a second time for raw files: Back has the focus, and the word must be typed', async () => {
    const { user, bridge, onClose } = await openDialog();
    await user.click(screen.getByRole('radio', { name: /^Raw files/ }));
    expect(screen.queryByRole('textbox', { name: 'Password' })).toBeNull();
    await user.click(button('Continue with raw files'));
    expect(screen.getByRole('heading', { name: 'Write 112 live samples to disk?' })).toBeDefined();
    expect(button('Back')).toBe(document.activeElement);
    expect(screen.getByText('To /exports')).toBeDefined();
    const word = screen.getByRole('textbox', { name: /^Type “live”/ });
    for (const wrong of ['liv', 'LIVE', 'alive']) {
      await user.clear(word);
      await user.type(word, wrong);
      expect(button('Export raw files')).toHaveProperty('disabled', true);
    }
    expect(bridge.inputsOf('exports.start')).toEqual([]);
    await user.clear(word);
    await user.type(word, 'live');
    await user.click(button('Export raw files'));
    await waitFor(() =>
      expect(bridge.inputsOf('exports.start')).toEqual([{ selection, as: { form: 'raw', confirmed: true } }]),
    );
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('forgets the typed word on the way back from the second prompt', async () => {
    const { user } = await openDialog();
    await user.click(screen.getByRole('radio', { name: /^Raw files/ }));
    await user.click(button('Continue with raw files'));
    await user.type(screen.getByRole('textbox', { name: /^Type “live”/ }), 'live');
    await user.click(button('Back'));
    await user.click(button('Continue with raw files'));
    expect(screen.getByRole('textbox', { name: /^Type “live”/ })).toHaveProperty('value', '');
  });

  test('offers the available options without a folder, and shows the missing ones', async () => {
    const { user } = await openDialog({}, 1);
    expect(screen.getByRole('heading', { name: 'Export 1 sample?' })).toBeDefined();
    expect(await screen.findByRole('button', { name: 'Export as download' })).toBeDefined();
    expect(screen.queryByRole('button', { name: 'Export to folder' })).toBeNull();
    await user.click(screen.getByRole('radio', { name: /^Raw files/ }));
    expect(button('Continue with raw files')).toHaveProperty('disabled', true);
    expect(screen.getByText(/No export folder configured/)).toBeDefined();
  });

  test('shows why it fails to start, next to a retry', async () => {
    let tries = 0;
    const { user, onClose } = await openDialog({
      ...withFolder,
      'exports.start': async () => {
        tries += 1;
        if (tries === 1) fail({ kind: 'nothing-selected' });
        const started = await new MemoryBridge().call('exports.start', {
          selection,
          as: { form: 'raw', confirmed: true },
        });
        return started.ok ? started.value : fail(started.failure);
      },
    });
    await user.click(await screen.findByRole('button', { name: 'Export to folder' }));
    expect((await screen.findByRole('alert')).textContent).toContain('None of these samples is in the vault');
    expect(onClose).not.toHaveBeenCalled();
    await user.click(button('Try again'));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });
});
