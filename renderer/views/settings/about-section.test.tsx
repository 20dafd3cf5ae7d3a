import '../../test/page-surroundings.ts';
import { screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { host } from '../../test/quiet-host.ts';

async function openAbout(openFolders = false, answers: GivenAnswers = {}) {
  const page = await open({
    'host.describe': () => ({ ...host, version: '1.2.3', capabilities: { ...host.capabilities, openFolders } }),
    ...answers,
  });
  await page.user.click(screen.getByRole('button', { name: 'Settings' }));
  await page.user.click(screen.getByRole('button', { name: 'About' }));
  return page;
}

test('AboutSection shows the version, and reads the licences on request', async () => {
  const { user } = await openAbout();
  expect(await screen.findByText('Vitrine 1.2.3')).toBeDefined();
  expect(screen.queryByRole('list', { name: 'Licences' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show licences' }));
  const licences = within(await screen.findByRole('list', { name: 'Licences' }));
  const react = within(licences.getByText('react', { exact: true }).closest('details') ?? document.body);
  expect(react.getByText('MIT')).toBeDefined();
  expect(react.getByLabelText('Licence of react').textContent).toContain('Permission is hereby granted');
  expect(licences.getByLabelText('Licence of @virustotal/yara-x').textContent).toBe(
    'This package includes no licence text.',
  );
  await user.click(screen.getByRole('button', { name: 'Hide licences' }));
  expect(screen.queryByRole('list', { name: 'Licences' })).toBeNull();
});

test('the log is opened when the host supports it', async () => {
  const { user, bridge } = await openAbout(true);
  await user.click(await screen.findByRole('button', { name: 'Open log' }));
  expect(bridge.inputsOf('host.openLog')).toEqual([{}]);
});

const path = '/reports/vitrine-diagnostics-20261118T142936Z.zip';
const saved = { kind: 'folder', path, fileName: 'vitrine-diagnostics-20261118T142936Z.zip', sizeBytes: 3000 } as const;

test('diagnostics saved to a folder show its path, and the folder opens when the host supports it', async () => {
  const { user, bridge } = await openAbout(true, { 'diagnostics.save': () => ({ saved, missing: [] }) });
  await user.click(screen.getByRole('button', { name: 'Save diagnostics…' }));
  expect(await screen.findByText(path)).toBeDefined();
  expect(screen.queryByRole('note')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Show in folder' }));
  expect([bridge.inputsOf('diagnostics.save'), bridge.inputsOf('diagnostics.showFolder')]).toEqual([[{}], [{}]]);
});

test('diagnostics for the browser are saved once by a link', async () => {
  const { user } = await openAbout();
  await user.click(screen.getByRole('button', { name: 'Save diagnostics…' }));
  const link = await screen.findByRole('link', { name: 'Save ZIP' });
  expect([link.getAttribute('href'), link.getAttribute('download')]).toEqual([
    `/export/${'e'.repeat(64)}`,
    saved.fileName,
  ]);
  link.addEventListener('click', (event) => event.preventDefault());
  await user.click(link);
  expect(screen.queryByRole('link', { name: 'Save ZIP' })).toBeNull();
  expect(await screen.findByText(`Saving ${saved.fileName}`)).toBeDefined();
});

test('missing parts are named, and nothing is reported when no folder was picked', async () => {
  const answers = [
    { saved: null, missing: [] },
    { saved, missing: [{ part: 'database' as const, reason: 'data-damaged SQLITE_CORRUPT' }] },
  ];
  const { user, bridge } = await openAbout(true, {
    'diagnostics.save': () => answers[bridge.inputsOf('diagnostics.save').length - 1] ?? expect.fail('asked too often'),
  });
  await user.click(screen.getByRole('button', { name: 'Save diagnostics…' }));
  await waitFor(() => expect(bridge.inputsOf('diagnostics.save')).toHaveLength(1));
  expect(screen.queryByText('Saved to', { exact: false })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Save diagnostics…' }));
  expect((await screen.findByRole('note')).textContent).toBe(
    'One part could not be read. The rest is in the file.Database: data-damaged SQLITE_CORRUPT',
  );
});

test('a failure to save diagnostics is shown in place, with a retry', async () => {
  const { user, bridge } = await openAbout(true, {
    'diagnostics.save': () =>
      bridge.inputsOf('diagnostics.save').length === 1
        ? fail({ kind: 'disk-full', path: '/reports' })
        : { saved, missing: [] },
  });
  await user.click(screen.getByRole('button', { name: 'Save diagnostics…' }));
  await user.click(await screen.findByRole('button', { name: 'Try again' }));
  expect(await screen.findByText(path)).toBeDefined();
});

test('diagnostics can be saved even when the host cannot describe itself', async () => {
  const { user } = await openAbout(false, { 'host.describe': () => fail({ kind: 'data-gone', path: '/data' }) });
  await user.click(screen.getByRole('button', { name: 'Save diagnostics…' }));
  expect(await screen.findByRole('link', { name: 'Save ZIP' })).toBeDefined();
});

test('diagnostics saved from the palette are shown under About', async () => {
  const { user } = await open({ 'diagnostics.save': () => ({ saved, missing: [] }) });
  await user.keyboard('{Control>}k{/Control}bug report{Enter}');
  expect(await screen.findByRole('heading', { level: 2, name: 'About' })).toBeDefined();
  expect(await screen.findByText(path)).toBeDefined();
});
