import '../../test/page-surroundings.ts';
import { screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { found, md5 } from '../../test/quiet-host.ts';
import { known } from '../sample/open-sample.fixture.tsx';

const searchable: GivenAnswers = {
  'samples.lookup': () => ({
    ...found,
    record: {
      ...found.record,
      uploader: 'desk "4"',
      threat: 'Ashveil',
      urls: [{ name: 'c2', url: 'http://a.example/x' }],
    },
  }),
  'servers.actions': () => ({
    mayUse: true,
    actions: [{ action: 'getfiles', service: 'repository', state: 'answers', seen: null }],
  }),
  'servers.search': () => ({ found: [], mayBeMore: false }),
  'library.totals': ({ queries }) => ({ totals: queries.map(() => ({ samples: 14, bytes: 0 })) }),
};

async function openMenu(value: RegExp | string) {
  const page = await open(searchable);
  await page.lookUp(md5);
  const record = await screen.findByRole('region', { name: 'Record' });
  await page.user.click(await within(record).findByRole('button', { name: value }));
  await screen.findByRole('menu');
  return page;
}
const choices = (): (string | null)[] => screen.getAllByRole('menuitem').map(({ textContent }) => textContent);
const query = async (): Promise<string> => {
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  return screen.getByRole<HTMLInputElement>('combobox', { name: /Search/ }).value;
};

test('a value of a record is searched for in the library, with the number of its samples beside it', async () => {
  const { user, bridge } = await openMenu('desk "4"');
  await screen.findByText('14 samples');
  expect(choices()).toEqual(['Search the library14 samples', 'Copy “desk "4"”', 'Exclude from the search']);
  expect(bridge.inputsOf('library.totals').at(-1)).toMatchObject({
    queries: [[{ field: 'uploader', negated: false }]],
  });
  await user.keyboard('{Enter}');
  expect(await query()).toBe('uploader:"desk \\"4\\""');
});

test('a threat can be searched for at the repository, and be left out of the search', async () => {
  const { user, bridge } = await openMenu('Ashveil');
  await user.click(screen.getByRole('menuitem', { name: 'Search at Lab (this computer)' }));
  await screen.findByRole('heading', { level: 1, name: 'Library' });
  expect(bridge.inputsOf('servers.search')).toMatchObject([{ search: { field: 'threat', text: 'Ashveil' } }]);
});

test('an excluded value is added to the query that the library has', async () => {
  const { user } = await openMenu('Ashveil');
  await user.click(screen.getByRole('menuitem', { name: 'Exclude from the search' }));
  expect(await query()).toBe('-threat:"Ashveil"');
});

test('an address is copied defanged, and searched for as it is', async () => {
  const { user } = await openMenu(/^c2: hxxp/);
  expect(choices()).toContain('Copy “c2: hxxp://a[.]example/x”');
  await user.click(screen.getByRole('menuitem', { name: /^Search the library/ }));
  expect(await query()).toBe('url:"http://a.example/x"');
});

test('Escape closes the menu of a value and leads back to it', async () => {
  const { user } = await openMenu('Ashveil');
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('menu')).toBeNull();
  expect(document.activeElement?.textContent).toBe('Ashveil');
});

test('a local tag leads on as other tags do, by a press in its menu too', async () => {
  const { lookUp, user, bridge } = await open({ ...searchable, 'library.sample': () => known });
  await lookUp(md5);
  const own = within(await screen.findByRole('list', { name: 'Local tags (not sent)' }));
  await user.click(await own.findByRole('button', { name: 'case:114' }));
  await screen.findByRole('menu');
  // What only this computer knows is sent to no server.
  expect(choices()).toEqual([
    expect.stringMatching(/^Search the library/),
    'Copy “case:114”',
    'Exclude from the search',
  ]);
  await user.click(screen.getByRole('menuitem', { name: /^Search the library/ }));
  expect(await query()).toBe('tag:"case:114"');
  expect(bridge.inputsOf('library.change')).toEqual([]);
});
