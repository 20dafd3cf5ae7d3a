import '../../test/page-surroundings.ts';
import { renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { fail } from '../../../shared/failure.ts';
import { BridgeProvider } from '../../bridge/bridge-context.tsx';
import { type GivenAnswers, MemoryBridge } from '../../test/memory-bridge.ts';
import { useTagSuggestions } from './sample-changes.ts';

function suggestions(answers: GivenAnswers) {
  const bridge = new MemoryBridge(answers);
  const { result } = renderHook(useTagSuggestions, {
    wrapper: ({ children }) => <BridgeProvider bridge={bridge}>{children}</BridgeProvider>,
  });
  return { bridge, suggest: result.current };
}

test('known tags are requested by a prefix of at most the permitted length', async () => {
  const { bridge, suggest } = suggestions({ 'uploads.tags': () => ({ tags: ['family:ashveil'] }) });
  expect(await suggest(`family:${'a'.repeat(200)}`)).toEqual(['family:ashveil']);
  expect(bridge.inputsOf('uploads.tags')).toEqual([{ beginning: `family:${'a'.repeat(93)}` }]);
});

test('no tags are suggested when they cannot be fetched', async () => {
  expect(await suggestions({ 'uploads.tags': () => fail({ kind: 'host-gone' }) }).suggest('f')).toEqual([]);
});
