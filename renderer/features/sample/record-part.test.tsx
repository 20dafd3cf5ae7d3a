import '../../test/page-surroundings.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { withTerm } from '../../../shared/domain/query-terms.ts';
import { shownRecord, shownRows } from '../../../shared/testing/shown-record.ts';
import type { GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { found, md5 } from '../../test/quiet-host.ts';
import { known, openSample } from './open-sample.fixture.tsx';

const record = () => within(screen.getByRole('region', { name: 'Record' }));

test('the rows of a record are those that the library is searched by', async () => {
  openSample({
    row: { ...known.row, name: shownRecord.name, type: shownRecord.mime },
    records: [{ workspaceId: 'lab', readAt: '2026-11-18T14:21:00.000Z', record: shownRecord }],
  });
  await screen.findByRole('region', { name: 'Record' });
  const names = record().getAllByRole('term');
  const rows = record()
    .getAllByRole('definition')
    .map((value, index) => [names[index]?.textContent, value.textContent, within(value).queryByRole('button') !== null])
    // The place of the type by its bytes, which is none here.
    .filter(([, shown]) => shown !== 'not recognized');
  expect(rows).toEqual(shownRows.map(({ name, shown }) => [name, shown, true]));
});

/** A service that can be searched at. */
const searchable: GivenAnswers = {
  'samples.lookup': () => ({ ...found, record: { ...shownRecord, md5, sha1: null, sha256: null } }),
  'servers.actions': () => ({
    mayUse: true,
    actions: [{ action: 'getfiles', service: 'repository', state: 'answers', seen: null }],
  }),
  'library.totals': ({ queries }) => ({ totals: queries.map(() => ({ samples: 1, bytes: 0 })) }),
};

test.each([
  ['not found, 12/60, hxxps://vt[.]example/1', 'vt', 'not found'],
  ['found, hxxps://box[.]example/7', 'sandbox', 'found'],
  ['1,208,320 bytes (1.15 MiB)', 'size', '1208320'],
  ['no', 'locked', 'no'],
  ['2026-11-09 07:40:12 server time', 'date', '2026-11-09'],
  ['the name alone:', 'url', 'the name alone'],
] as const)('a press of %j searches by what its words mean', async (shown, field, value) => {
  const { lookUp, user } = await open(searchable);
  await lookUp(md5);
  await user.click(await screen.findByRole('button', { name: shown }));
  await user.click(await screen.findByRole('menuitem', { name: /^Search the library/ }));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: /Search/ }).value).toBe(withTerm('', field, value));
});

test('a name that only this computer knows is not searched for at a server', async () => {
  const name = { name: 'secret plan.exe', path: '', added: '2026-11-18T14:21:00.000Z' };
  const { lookUp, user } = await open({ ...searchable, 'library.sample': () => ({ ...known, names: [name] }) });
  await lookUp(md5);
  await screen.findByRole('region', { name: 'Record' });
  const choices = async (shown: string): Promise<(string | null)[]> => {
    await user.click(await record().findByRole('button', { name: shown }));
    await screen.findByRole('menu');
    const offered = screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
    await user.keyboard('{Escape}');
    return offered;
  };
  expect(await choices('see hxxp://evil[.]example/\\u202efdp.exe')).toContain('Search at Lab (this computer)');
  expect(await choices('secret plan.exe')).not.toContain('Search at Lab (this computer)');
});
