import { scanJob } from '../../../components/jobs/job.fixture.ts';
import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, test } from 'vitest';
import { fail } from '../../../../shared/failure.ts';
import { type GivenAnswers } from '../../../test/memory-bridge.ts';
import { lab, noPlan } from '../../../test/quiet-host.ts';
import { dropFiles, fullPlan, openScanView, sampleAt, vaultOf } from '../open-scan.fixture.tsx';

const primary = (): HTMLButtonElement =>
  within(screen.getByRole('region', { name: 'Scan with' })).getByRole<HTMLButtonElement>('button', { name: /^Scan/ });
const why = (): string | undefined =>
  document.getElementById(primary().getAttribute('aria-describedby') ?? '')?.textContent;
const rows = (list: string): HTMLElement[] =>
  [...within(screen.getByRole('grid', { name: list })).queryAllByRole('row')].filter(
    (row) => row.dataset['index'] !== undefined,
  );
const idOf = (number: number): { id: string } => ({ id: number.toString(16).padStart(32, '0') });
const sampleRow = (name: string): Promise<HTMLElement> => screen.findByRole('row', { name: new RegExp(name) });

describe('files', () => {
  test('are dropped anywhere, listed, and scanned on this computer when nothing else was chosen', async () => {
    const { user, bridge } = await openScanView();
    expect(primary().disabled).toBe(true);
    expect(why()).toBe('Add files or tick samples to scan');
    await dropFiles('a.js', 'b.exe');
    await waitFor(() =>
      expect(rows('Files to scan').map(({ textContent }) => textContent)).toEqual(['a.js4', 'b.exe5']),
    );
    expect(bridge.inputsOf('uploads.add')).toEqual([]);
    await waitFor(() => expect(primary().disabled).toBe(false));
    await user.click(screen.getByRole('button', { name: /^Scan 2 files/ }));
    await waitFor(() =>
      expect(bridge.inputsOf('scans.start')).toEqual([
        { workspaceId: 'lab', engines: 'local', files: [idOf(1), idOf(2)], samples: [], tlp: null },
      ]),
    );
    expect(await screen.findByText('update_helper.dll')).toBeDefined();
  });

  test('are removed by a key, and the next one takes the focus', async () => {
    const { user } = await openScanView();
    await dropFiles('a.js', 'b.exe', 'c.dll');
    await waitFor(() => expect(rows('Files to scan')).toHaveLength(3));
    await user.click(screen.getByText('b.exe'));
    await user.keyboard('{Delete}');
    await waitFor(() =>
      expect(rows('Files to scan').map(({ textContent }) => textContent)).toEqual(['a.js4', 'c.dll5']),
    );
    await user.keyboard('{Delete}');
    await waitFor(() => expect(rows('Files to scan').map(({ textContent }) => textContent)).toEqual(['a.js4']));
    expect(screen.getByRole('button', { name: /^Scan 1 file(?!s)/ })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Remove all' }));
    expect(screen.queryByRole('grid', { name: 'Files to scan' })).toBeNull();
  });

  test('are removed one by one: a held key removes one', async () => {
    const { user } = await openScanView();
    await dropFiles('a.js', 'b.exe', 'c.dll');
    await waitFor(() => expect(rows('Files to scan')).toHaveLength(3));
    await user.click(screen.getByText('b.exe'));
    for (const repeat of [false, true, true])
      fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Delete', repeat });
    await waitFor(() =>
      expect(rows('Files to scan').map(({ textContent }) => textContent)).toEqual(['a.js4', 'c.dll5']),
    );
  });

  test('over the limit stop the intake, and that is reported beside the list', async () => {
    const { user } = await openScanView();
    await dropFiles(...Array.from({ length: 502 }, (_, at) => `f${at}`));
    expect(await screen.findByText('Too many items for one job')).toBeDefined();
    expect(await screen.findByRole('button', { name: /^Scan 500 files/ })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Dismiss' }));
    await waitFor(() => expect(screen.queryByText('Too many items for one job')).toBeNull());
  });

  test('over the limit are counted, without those of the same drop that were accepted', async () => {
    await openScanView();
    await dropFiles(...Array.from({ length: 490 }, (_, at) => `f${at}`));
    await screen.findByRole('button', { name: /^Scan 490 files/ });
    await dropFiles(...Array.from({ length: 20 }, (_, at) => `g${at}`));
    expect(await screen.findByText(/10 files not added. Files already in the list are kept\.$/)).toBeDefined();
    expect(screen.getByRole('button', { name: /^Scan 500 files/ })).toBeDefined();
  });

  test('are kept after a visit to another view, and gone once they were scanned', async () => {
    const { user } = await openScanView();
    await dropFiles('a.js');
    await screen.findByRole('button', { name: /^Scan 1 file/ });
    await user.keyboard('{Control>}2{/Control}');
    await screen.findByRole('heading', { level: 1, name: 'Look up' });
    await user.keyboard('{Control>}6{/Control}');
    await user.click(await screen.findByRole('button', { name: /^Scan 1 file/ }));
    await user.click(await screen.findByRole('button', { name: 'New scan' }));
    expect(await screen.findByText(/^No files added/)).toBeDefined();
  });

  test('stay when their scan fails to start, and the reason is shown with a link to the fix', async () => {
    const { user } = await openScanView({
      'scans.start': () => fail({ kind: 'native-engine-missing', text: 'no build for this machine' }),
    });
    await dropFiles('a.js');
    await user.click(await screen.findByRole('button', { name: /^Scan 1 file/ }));
    expect((await screen.findByRole('alert')).textContent).toContain('The native engine does not run on this computer');
    expect(rows('Files to scan')).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Open scan settings' }));
    expect(await screen.findByRole('heading', { name: 'Scans' })).toBeDefined();
  });
});

describe('samples of the vault', () => {
  test('are found, ticked by X and scanned by Ctrl Enter, without a pointer', async () => {
    const { user, bridge } = await openScanView();
    await sampleRow('sample_1.exe');
    await user.keyboard('/');
    expect(document.activeElement?.getAttribute('data-query')).not.toBeNull();
    await user.keyboard('{ArrowDown}x{ArrowDown}x');
    await waitFor(() => expect(screen.getByText('3 samples, 2 ticked')).toBeDefined());
    await user.keyboard('{Control>}{Enter}{/Control}');
    await waitFor(() =>
      expect(bridge.inputsOf('scans.start')).toEqual([
        {
          workspaceId: 'lab',
          engines: 'local',
          files: [],
          samples: [sampleAt(1).sha256, sampleAt(2).sha256],
          tlp: null,
        },
      ]),
    );
  });

  test('stay ticked during another search', async () => {
    const { user } = await openScanView();
    (await sampleRow('sample_1.exe')).focus();
    await user.keyboard('x/');
    await user.keyboard('sample_3');
    await waitFor(() => expect(rows('Samples in the vault')).toHaveLength(1));
    await user.keyboard('{ArrowDown}x');
    expect(await screen.findByRole('button', { name: /^Scan 2 samples/ })).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'Untick all' }));
    expect(primary().textContent).toContain('Scan');
    expect(primary().disabled).toBe(true);
  });

  test('are ticked as a whole, loaded or not, up to the limit of a scan', async () => {
    const { user } = await openScanView(vaultOf(5_200));
    (await sampleRow('sample_1.exe')).focus();
    await user.keyboard('{Control>}a{/Control}');
    expect(await screen.findByRole('button', { name: /^Scan 5,000 samples/ })).toBeDefined();
    expect(screen.getByText(/^A scan takes at most 5,000 samples/)).toBeDefined();
    await user.click(screen.getByRole('columnheader', { name: 'Select all' }));
    await waitFor(() => expect(screen.getByText('5,200 samples')).toBeDefined());
  });

  /** A vault whose second thousand cannot be read while ticks are made. */
  const halfReadable = (): GivenAnswers => {
    const { 'samples.inVault': read } = vaultOf(2_500);
    return {
      'samples.inVault': (asked) =>
        (asked.limit > 100 && asked.offset >= 1_000) || read === undefined ? fail({ kind: 'host-gone' }) : read(asked),
    };
  };
  const reported = /Ticks on samples that could not be read are unchanged\.$/;

  test('are not all ticked when some are unreadable, and the reason is shown until other ticks are made', async () => {
    const { user } = await openScanView(halfReadable());
    (await sampleRow('sample_1.exe')).focus();
    await user.keyboard('{Control>}a{/Control}');
    expect(await screen.findByText(reported)).toBeDefined();
    expect(screen.getByText('2,500 samples')).toBeDefined();
    await user.keyboard('x');
    await waitFor(() => expect(screen.getByText('2,500 samples, 1 ticked')).toBeDefined());
    expect(screen.queryByText(reported)).toBeNull();
  });

  test('that cannot be read are reported when the ticks are extended over them', async () => {
    const { user } = await openScanView(halfReadable());
    (await sampleRow('sample_1.exe')).focus();
    await user.keyboard('{Shift>}{End}{/Shift}');
    expect(await screen.findByText(reported)).toBeDefined();
  });

  test('that do not exist show an empty list message', async () => {
    const { user } = await openScanView();
    await sampleRow('sample_1.exe');
    await user.keyboard('/');
    await user.keyboard('nothing');
    expect(await screen.findByText('No sample in the vault matches "nothing".')).toBeDefined();
  });
});

describe('the engine of a scan', () => {
  const choice = (name: RegExp): HTMLInputElement => screen.getByRole<HTMLInputElement>('radio', { name });

  test('is local by default, with its version and rules; the rule editor names its server', async () => {
    await openScanView();
    expect(
      (
        await screen.findByRole<HTMLInputElement>('radio', {
          name: /^Local Native engine, package 2026.11.10, 409 rules. Nothing leaves/,
        })
      ).checked,
    ).toBe(true);
    expect(choice(/^Rule editor Sends the files to rules.example/).checked).toBe(false);
    expect(choice(/^Both/).checked).toBe(false);
    expect(screen.getByText('Local limits: 512 MiB and 30 s per file')).toBeDefined();
    expect(screen.queryByText(/is not sent to it/)).toBeNull();
  });

  test('may be the rule editor, which gets no file that its TLP keeps local', async () => {
    const { user, bridge } = await openScanView();
    await dropFiles('a.js');
    await user.click(await screen.findByRole('radio', { name: /^Rule editor/ }));
    expect(
      screen.getByText('Files with TLP:AMBER, AMBER+STRICT or RED are not sent to the rule editor.'),
    ).toBeDefined();
    await user.click(screen.getByRole('button', { name: 'TLP of the files: No TLP' }));
    await user.click(await screen.findByRole('menuitemradio', { name: /^RED/ }));
    expect(await screen.findByText(/These files are TLP:RED, so none is sent./)).toBeDefined();
    expect(why()).toBe('Nothing to scan: the TLP forbids sending these files');
    await user.click(screen.getByRole('radio', { name: /^Both/ }));
    await user.click(screen.getByRole('button', { name: /^Scan 1 file/ }));
    await waitFor(() =>
      expect(bridge.inputsOf('scans.start')).toEqual([
        { workspaceId: 'lab', engines: 'both', files: [idOf(1)], samples: [], tlp: 'red' },
      ]),
    );
  });

  test('shows that the lab of this computer receives files without sending them out, and excludes none', async () => {
    const { user } = await openScanView({
      'scans.plan': () => ({ ...fullPlan, service: { host: '127.0.0.1:4000', isHere: true, asksTlp: false } }),
    });
    await user.click(
      await screen.findByRole('radio', { name: 'Rule editor Uses the lab. Nothing leaves this computer.' }),
    );
    expect(screen.queryByText(/is not sent to it/)).toBeNull();
  });

  test('offers no remote engine, before a file is added, for a rule editor that does not scan files', async () => {
    const { user, bridge } = await openScanView({
      'scans.plan': () => ({ ...fullPlan, service: null, cannotScan: true }),
    });
    expect(await screen.findByText('This rule editor does not scan files.')).toBeDefined();
    expect(screen.getAllByRole('radio', { name: /engine|Rule editor|Both/ })).toHaveLength(1);
    await user.click(screen.getByRole('button', { name: 'Check again' }));
    expect(bridge.inputsOf('servers.findActions')).toEqual([{ workspaceId: 'lab' }]);
  });

  test('shows that the repository is asked for TLPs, where the rule editor gets files', async () => {
    const { user } = await openScanView({
      'scans.plan': () => ({ ...fullPlan, service: { host: 'rules.example', isHere: false, asksTlp: true } }),
    });
    const words = /repository is asked for the TLP of files without a record first, because they leave/;
    expect(await screen.findByText('Local limits: 512 MiB and 30 s per file')).toBeDefined();
    expect(screen.queryByText(words)).toBeNull();
    await user.click(screen.getByRole('radio', { name: /^Rule editor/ }));
    expect(screen.getByText(words)).toBeDefined();
  });

  test('leads to the rule installation without rules, and offers no remote one without a rule editor', async () => {
    const { user } = await openScanView({ 'scans.plan': () => noPlan });
    await dropFiles('a.js');
    expect(await screen.findByText('No rule editor configured.')).toBeDefined();
    expect(screen.queryByRole('radio', { name: /^Rule editor/ })).toBeNull();
    await waitFor(() => expect(why()).toBe('No rules installed'));
    await user.click(screen.getByRole('button', { name: 'Open Publications' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Publications' })).toBeDefined();
  });

  test('fetches the rules of the workspace where none are installed, and leads to their installation', async () => {
    const ruleEditor = { baseUrl: 'https://rules.example', hasToken: true };
    const { user, bridge } = await openScanView({
      'scans.plan': () => noPlan,
      'workspaces.list': () => ({ workspaces: [{ ...lab, ruleEditor }], current: 'lab', damaged: [] }),
    });
    const notice = within(
      (await screen.findByText('No rules installed', { selector: 'bdi' })).closest<HTMLElement>('[role=note]') ??
        document.body,
    );
    await user.click(notice.getByRole('button', { name: /^Fetch rules from / }));
    expect(bridge.inputsOf('publications.check')).toEqual([{ workspaceId: 'lab' }]);
    expect(await screen.findByRole('heading', { level: 1, name: 'Publications' })).toBeDefined();
  });

  test('leads to samples where the vault is empty', async () => {
    const { user } = await openScanView(vaultOf(0));
    expect(await screen.findByText(/^The vault is empty\. Add files above/)).toBeDefined();
    const pane = within(screen.getByRole('region', { name: 'What to scan' }));
    await user.click(pane.getByRole('button', { name: 'Bulk download' }));
    expect(await screen.findByRole('heading', { level: 1, name: 'Bulk download' })).toBeDefined();
  });

  test('gives the reason when it is not the native one', async () => {
    await openScanView({
      'scans.plan': () => ({
        ...fullPlan,
        local: { engine: 'wasm', nativeFailure: 'no build for this machine', chosen: 'auto' },
      }),
    });
    expect(
      await screen.findByText('The native engine does not run on this computer: no build for this machine'),
    ).toBeDefined();
  });
});

test('a scan started twice is one', async () => {
  const answer = Promise.withResolvers<typeof scanJob>();
  const { user, bridge } = await openScanView({ 'scans.start': () => answer.promise });
  await dropFiles('a.js');
  const button = await screen.findByRole('button', { name: /^Scan 1 file/ });
  await user.dblClick(button);
  await act(async () => answer.resolve(scanJob));
  expect(bridge.inputsOf('scans.start')).toHaveLength(1);
});
