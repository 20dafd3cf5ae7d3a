import '../../test/page-surroundings.ts';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, test } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { type GivenAnswers } from '../../test/memory-bridge.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { md5 } from '../../test/quiet-host.ts';
import { listed, ThreadHost } from './thread-host.fixture.ts';

afterEach(cleanup);

async function openThread(host: ThreadHost, more: GivenAnswers) {
  const page = await open({ ...host.answers, ...more });
  host.bridge = page.bridge;
  await page.lookUp(md5);
  return page;
}

const thread = (): HTMLElement => screen.getByRole('region', { name: /^Comments/ });
const items = (): (string | null)[] =>
  within(thread())
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent);

describe('a thread of which older comments are not kept', () => {
  const ages = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) => {
      const { own: _own, ...comment } = listed(String(from + at));
      return comment;
    });

  test('counts them, and shows those that the service gives above the kept ones', async () => {
    const host = new ThreadHost([listed('5'), listed('6')]);
    host.thread = { ...host.thread, omitted: 4 };
    const befores: number[] = [];
    const { user } = await openThread(host, {
      'comments.older': ({ before }) => {
        befores.push(before);
        return { comments: ages(before - 1, before), before: before - 2, isNewestFirst: false };
      },
    });
    await screen.findByText('4 older comments are not saved on this computer.');
    expect(document.getElementById('comments')?.textContent).toBe('Comments 2 of 6');
    await user.click(screen.getByRole('button', { name: 'Fetch older comments' }));
    await screen.findByText('2 older comments are not saved on this computer.');
    await user.click(screen.getByRole('button', { name: 'Fetch older comments' }));
    await waitFor(() => expect(screen.queryByText(/older comments are not saved/)).toBeNull());
    expect(befores).toEqual([4, 2]);
    expect(items().map((words) => /text (\d)/.exec(words ?? '')?.[1])).toEqual(['1', '2', '3', '4', '5', '6']);
  });

  test('shows why they could not be read, and the button again', async () => {
    const host = new ThreadHost([listed('5')]);
    host.thread = { ...host.thread, omitted: 1 };
    const { user } = await openThread(host, {
      'comments.older': () => fail({ kind: 'worker-ended', task: 'reading a large reply', code: 'exit 1' }),
    });
    await user.click(await screen.findByRole('button', { name: 'Fetch older comments' }));
    await within(thread()).findByRole('alert');
    expect(screen.getByRole('button', { name: 'Fetch older comments' })).toBeDefined();
  });
});
