import type { Failure } from '../../../../shared/failure-kinds.ts';
import { huntJob, scanJob } from '../../../components/jobs/job.fixture.ts';
import '../../../test/page-surroundings.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Job } from '../../../../shared/domain/job.ts';
import { fail } from '../../../../shared/failure.ts';
import { dropFiles, openScanView, sampleAt } from '../open-scan.fixture.tsx';

const heading = (name: string): Promise<HTMLElement> => screen.findByRole('heading', { level: 1, name });
const button = (name: RegExp): Promise<HTMLButtonElement> => screen.findByRole<HTMLButtonElement>('button', { name });
const fileNames = (): (string | null)[] =>
  [...screen.getByRole('grid', { name: 'Files to scan' }).querySelectorAll('[role=row][data-index]')].map(
    ({ textContent }) => textContent,
  );
const nativeMissing: Failure = { kind: 'native-engine-missing', text: 'no build for this machine' };

/** A scan of `a.js` that the host has not answered for yet. */
async function beginScan() {
  const reply = Promise.withResolvers<Job>();
  const page = await openScanView({ 'scans.start': () => reply.promise, 'hunts.start': () => reply.promise });
  await dropFiles('a.js');
  await page.user.click(await button(/^Scan 1 file/));
  await screen.findByText('Preparing the job');
  const answer = (job: Job = scanJob) => act(async () => reply.resolve(job));
  const refuse = () => act(async () => reply.resolve(Promise.resolve().then(() => fail(nativeMissing))));
  const lookElsewhere = async (): Promise<void> => {
    await page.user.keyboard('{Control>}2{/Control}');
    await heading('Look up');
  };
  const comeBack = async (): Promise<void> => {
    await page.user.keyboard('{Control>}6{/Control}');
    await heading('Scan');
  };
  return { ...page, answer, refuse, lookElsewhere, comeBack };
}

test('files added, ticked or marked while a job is being created are kept for the next one', async () => {
  const { user, bridge, answer } = await beginScan();
  await dropFiles('b.exe');
  await waitFor(() => expect(fileNames()).toEqual(['a.js4', 'b.exe5']));
  (await screen.findByRole('row', { name: /sample_2\.exe/ })).focus();
  await user.keyboard('x');
  await user.click(screen.getByRole('button', { name: 'TLP of the files: No TLP' }));
  await user.click(await screen.findByRole('menuitemradio', { name: /^RED/ }));
  await answer();
  await user.click(await button(/^New scan/));
  await waitFor(() => expect(fileNames()).toEqual(['b.exe5']));
  await user.click(await button(/^Scan 1 file and 1 sample/));
  await waitFor(() =>
    expect(bridge.inputsOf('scans.start').at(-1)).toMatchObject({ samples: [sampleAt(2).sha256], tlp: 'red' }),
  );
});

test('the same files cannot be sent again on a return while their job is being created', async () => {
  const { bridge, answer, lookElsewhere, comeBack } = await beginScan();
  await lookElsewhere();
  await comeBack();
  expect(await screen.findByText('Preparing the job')).toBeDefined();
  expect((await button(/^Scan 1 file/)).disabled).toBe(true);
  await answer();
  expect(await button(/^New scan/)).toBeDefined();
  expect(bridge.inputsOf('scans.start')).toHaveLength(1);
});

test('a started job does not switch from another view', async () => {
  const { answer, lookElsewhere, comeBack } = await beginScan();
  await lookElsewhere();
  await answer({ ...scanJob, state: 'running', ended: null });
  expect(await button(/^Scan, 1 running/)).toBeDefined();
  expect(await heading('Look up')).toBeDefined();
  await comeBack();
  expect(await screen.findByText(/^No files added/)).toBeDefined();
});

test('a failed scan start is reported in any view, and shown where it was requested', async () => {
  const { refuse, lookElsewhere, comeBack } = await beginScan();
  await lookElsewhere();
  await refuse();
  expect(await screen.findByText('Scan not started: The native engine does not run on this computer')).toBeDefined();
  await comeBack();
  const pane = within(screen.getByRole('region', { name: 'Scan with' }));
  expect((await pane.findByRole('alert')).textContent).toContain('The native engine does not run on this computer');
  expect(fileNames()).toEqual(['a.js4']);
});

test('a hunt being created is not started twice either', async () => {
  const { user, bridge, answer, lookElsewhere, comeBack } = await beginScan();
  await user.click(await button(/^Hunt 8,214 samples/));
  await lookElsewhere();
  await comeBack();
  expect((await button(/^Hunt 8,214 samples/)).disabled).toBe(true);
  await answer(huntJob);
  expect(bridge.inputsOf('hunts.start')).toHaveLength(1);
});
