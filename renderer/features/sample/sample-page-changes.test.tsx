import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import { fail } from '../../../shared/failure.ts';
import { known, openSample } from './open-sample.fixture.tsx';

/** The page of a sample whose changes are answered one by one, by hand. */
async function openHeld() {
  let sample = known;
  const held: PromiseWithResolvers<'made' | 'refused'>[] = [];
  const page = openSample(
    {},
    {
      'library.sample': () => sample,
      'library.change': async ({ change: { add, remove, tlp } }) => {
        const answer = Promise.withResolvers<'made' | 'refused'>();
        held.push(answer);
        if ((await answer.promise) === 'refused') return fail({ kind: 'host-gone' });
        const tags = [...sample.row.tags.filter((tag) => !remove.includes(tag)), ...add];
        sample = {
          ...sample,
          row: { ...sample.row, tags },
          tlps:
            tlp === undefined || tlp === null
              ? sample.tlps
              : [...sample.tlps.filter(({ source }) => source !== 'own'), { level: tlp, source: 'own' }],
        };
        return { changed: 1, leftOut: 0 };
      },
    },
  );
  await screen.findByRole('heading', { level: 2, name: 'update_helper.dll' });
  const changes = () =>
    page.bridge.asked.flatMap(({ name, input }) => (name === 'library.change' ? [changeOf(input)] : []));
  /** The one that was asked for first, once it is there. */
  const answer = async (how: 'made' | 'refused' = 'made'): Promise<void> => {
    await waitFor(() => expect(held).not.toEqual([]));
    await act(async () => held.shift()?.resolve(how));
  };
  return { ...page, changes, answer };
}

const changeOf = (input: unknown): unknown =>
  typeof input === 'object' && input !== null && 'change' in input ? input.change : null;
const change = (part: Partial<OperationInput<'library.change'>['change']>) => ({ add: [], remove: [], ...part });
const ownTags = (): (string | null)[] =>
  within(screen.getByRole('list', { name: 'Local tags (not sent)' }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('Backspace right after a tag removes that tag, even before its answer', async () => {
  const { user, changes, answer } = await openHeld();
  await user.keyboard('tpacked{Enter}');
  expect(ownTags()).toEqual(['case:114', 'packed']);
  await user.keyboard('{Backspace}');
  expect(ownTags()).toEqual(['case:114']);
  await answer();
  await answer();
  await waitFor(() => expect(changes()).toEqual([change({ add: ['packed'] }), change({ remove: ['packed'] })]));
  await waitFor(() => expect(ownTags()).toEqual(['case:114']));
});

test('a change is sent after the answer to the previous one', async () => {
  const { user, changes, answer } = await openHeld();
  await user.keyboard('tpacked{Enter}{Escape}l');
  await user.click(await screen.findByRole('menuitem', { name: 'GREEN' }));
  expect(changes()).toEqual([change({ add: ['packed'] })]);
  await answer();
  await waitFor(() => expect(changes()).toEqual([change({ add: ['packed'] }), change({ tlp: 'green' })]));
  await answer();
  expect(await within(screen.getByRole('group', { name: 'TLP' })).findByText('set locally')).toBeDefined();
});

test('a refused tag is no longer shown, and the reason stays visible during the next change', async () => {
  const { user, answer } = await openHeld();
  await user.keyboard('tpacked,seen,');
  expect(ownTags()).toEqual(['case:114', 'packed', 'seen']);
  await answer('refused');
  expect(ownTags()).toEqual(['case:114', 'seen']);
  await answer();
  await waitFor(() => expect(ownTags()).toEqual(['case:114', 'seen']));
  expect(screen.getByRole('alert')).toBeDefined();
});
