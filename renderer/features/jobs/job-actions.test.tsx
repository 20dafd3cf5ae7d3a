import '../../test/page-surroundings.ts';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { expect, test } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { MemoryBridge } from '../../test/memory-bridge.ts';
import { TestProviders } from '../../test/test-providers.fixture.tsx';
import { useJobActions } from './job-actions.tsx';

/** One job at a time is shown, or none; its pausing is answered when it is let. */
function show() {
  const answer = Promise.withResolvers<'paused' | 'refused'>();
  const bridge = new MemoryBridge({
    'jobs.pause': async () => ((await answer.promise) === 'paused' ? {} : fail({ kind: 'host-gone' })),
  });
  function Shown({ id }: { id: number }) {
    const { pause, failure } = useJobActions(id);
    return (
      <>
        <button type="button" onClick={pause}>
          Pause
        </button>
        {failure !== null && <p>{`failed: ${id}`}</p>}
      </>
    );
  }
  function Page() {
    const [id, choose] = useState<number | null>(1);
    return (
      <>
        {id !== null && <Shown id={id} />}
        <button type="button" onClick={() => choose(2)}>
          Two
        </button>
        <button type="button" onClick={() => choose(null)}>
          None
        </button>
      </>
    );
  }
  render(
    <TestProviders bridge={bridge}>
      <Page />
    </TestProviders>,
  );
  const user = userEvent.setup();
  const press = (name: string): Promise<void> => user.click(screen.getByRole('button', { name }));
  return { bridge, press, answer: (how: 'paused' | 'refused') => act(async () => answer.resolve(how)) };
}

test('another job can be paused during a pause request, and no job twice', async () => {
  const { bridge, press, answer } = show();
  await press('Pause');
  await press('Pause');
  await press('Two');
  await press('Pause');
  expect(bridge.inputsOf('jobs.pause')).toEqual([{ id: 1 }, { id: 2 }]);
  await answer('paused');
});

test.each(['Two', 'None'])('a failed pause is reported when its job is no longer shown: %s', async (other) => {
  const { press, answer } = show();
  await press('Pause');
  await press(other);
  await answer('refused');
  await waitFor(() => expect(screen.getByText(/^Job 1 was not changed: /)).toBeDefined());
  expect(screen.queryByText(/^failed/)).toBeNull();
});

test('a failed pause is reported at its job while it is shown', async () => {
  const { press, answer } = show();
  await press('Pause');
  await answer('refused');
  expect(await screen.findByText('failed: 1')).toBeDefined();
  expect(screen.queryByText(/^Not done/)).toBeNull();
});
