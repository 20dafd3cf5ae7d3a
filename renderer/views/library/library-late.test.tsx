import '../../test/page-surroundings.ts';
import '../../components/data-grid/layout.fixture.ts';
import { act, cleanup, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import { fail } from '../../../shared/failure.ts';
import { LibraryHost } from './library-host.fixture.ts';
import { all, expectRows, openLibrary, rows, some, table } from './open-library.fixture.tsx';

afterEach(cleanup);

/** A library whose changes are answered one by one, by hand. */
async function openHeld() {
  const host = new LibraryHost(some);
  const { 'library.change': change } = host.answers;
  const held: PromiseWithResolvers<'made' | 'refused'>[] = [];
  const page = await openLibrary(host, {
    'library.change': async (input: OperationInput<'library.change'>) => {
      const answer = Promise.withResolvers<'made' | 'refused'>();
      held.push(answer);
      return (await answer.promise) === 'refused' || change === undefined ? fail({ kind: 'host-gone' }) : change(input);
    },
  });
  await expectRows(all);
  const answer = async (how: 'made' | 'refused'): Promise<void> => {
    await waitFor(() => expect(held).not.toEqual([]));
    await act(async () => held.shift()?.resolve(how));
  };
  return { ...page, answer };
}

test('a tag of a sample that is refused after its page was left is told, and can be given again', async () => {
  const { user, host, answer } = await openHeld();
  await user.dblClick(rows()[1] ?? table());
  await screen.findByRole('heading', { level: 2, name: 'update.dll' });
  await user.keyboard('tpacked{Enter}{Escape}{Escape}');
  await expectRows(all);
  await answer('refused');
  expect(await screen.findByText(/^A change of update\.dll was not made: /)).toBeDefined();
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await answer('made');
  await waitFor(() => expect(host.rows[1]?.tags).toEqual(['packed']));
});
