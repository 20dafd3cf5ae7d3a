import '../../test/page-surroundings.ts';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { BridgeProvider } from '../../bridge/bridge-context.tsx';
import { createQueryClient } from '../../bridge/query-client.ts';
import { MemoryBridge } from '../../test/memory-bridge.ts';
import { found, md5 } from '../../test/quiet-host.ts';
import { LastAnswerProvider } from './last-answer.tsx';
import { LookupStoreProvider, recentLookups, useLookupStore } from './lookup-store.tsx';

const another = '44d88612fea8a8f36de82e1278abb02f';

/** The store remembers what it looked up when the answer comes to it; what it draws then waits for the end of `act`. */
const untilAnswered = (): Promise<void> =>
  new Promise((resolve) => {
    const stop = recentLookups.subscribe(() => resolve(stop()));
  });

function Asking() {
  const { state, lookUpText } = useLookupStore();
  const shown = 'hash' in state ? `${state.kind} ${state.hash.value}` : state.kind;
  return (
    <>
      {[md5, another].map((hash) => (
        <button key={hash} type="button" onClick={() => lookUpText(hash)}>
          {hash}
        </button>
      ))}
      <output>{shown}</output>
    </>
  );
}

test('a request made while an answer is drawn takes precedence, and that answer replaces nothing', async () => {
  const answers = [Promise.withResolvers<typeof found>(), Promise.withResolvers<typeof found>()];
  let asked = 0;
  const bridge = new MemoryBridge({ 'samples.lookup': () => answers[asked++]?.promise ?? found });
  render(
    <BridgeProvider bridge={bridge} client={createQueryClient()}>
      <LastAnswerProvider>
        <LookupStoreProvider>
          <Asking />
        </LookupStoreProvider>
      </LastAnswerProvider>
    </BridgeProvider>,
  );
  const press = (hash: string): void => screen.getByRole('button', { name: hash }).click();
  await act(async () => press(md5));
  await act(async () => {
    const answered = untilAnswered();
    answers[0]?.resolve(found);
    await answered;
    // Past the question whether it was overtaken.
    await Promise.resolve();
    press(another);
  });
  expect(screen.getByRole('status').textContent).toBe(`asking ${another}`);
  await act(async () => answers[1]?.resolve(found));
  expect(screen.getByRole('status').textContent).toBe(`found ${another}`);
});
