import '../../test/page-surroundings.ts';
import { renderHook, waitFor } from '@testing-library/react';
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
  return { bridge, current: () => result.current };
}

test('known tags are requested by a prefix of at most the permitted length', async () => {
  const { bridge, current } = suggestions({ 'uploads.tags': () => ({ tags: ['family:ashveil'] }) });
  expect(await current().suggest(`family:${'a'.repeat(200)}`)).toEqual(['family:ashveil']);
  expect(bridge.inputsOf('uploads.tags')).toEqual([{ beginning: `family:${'a'.repeat(93)}` }]);
});

test('no tags are suggested when they cannot be fetched', async () => {
  const { current } = suggestions({ 'uploads.tags': () => fail({ kind: 'host-gone' }) });
  expect(await current().suggest('f')).toEqual([]);
});

test('tags of the repository that begin so, or whose value does, are suggested once it was asked for all', async () => {
  const tags = ['Family:Emotet', 'emo', 'other', 'tlp:red', 'bad\u202etag', 'memo', 'family:emotet'];
  const { bridge, current } = suggestions({ 'servers.tags': () => ({ tags }) });
  await waitFor(async () => expect(await current().suggestOfRepository('emo')).toEqual(['family:emotet', 'emo']));
  expect(await current().suggestOfRepository('fam')).toEqual(['family:emotet']);
  expect(bridge.inputsOf('servers.tags')).toEqual([{ workspaceId: 'lab' }]);
});

test('a repository whose tags cannot be fetched is not asked with each letter', async () => {
  const { bridge, current } = suggestions({
    'servers.tags': () => fail({ kind: 'token-missing', service: 'repository' }),
  });
  await waitFor(async () => {
    expect(await current().suggestOfRepository('e')).toEqual([]);
    expect(bridge.inputsOf('servers.tags')).toHaveLength(1);
  });
  expect(await current().suggestOfRepository('em')).toEqual([]);
  expect(bridge.inputsOf('servers.tags')).toHaveLength(1);
});
