import { expect, test, vi } from 'vitest';
import { rowOf } from '../../../features/library/library-row.fixture.ts';
import { MemoryBridge } from '../../../test/memory-bridge.ts';
import { RowPreviews } from './cells.tsx';

const strip = '1ff100180';
const host = (): MemoryBridge =>
  new MemoryBridge({
    'library.previews': ({ sha256s }) => ({ previews: sha256s.map((sha256) => ({ sha256, type: null, strip })) }),
  });

test('previews of visible rows with bytes in the vault are requested once, a hundred at a time', async () => {
  const bridge = host();
  const previews = new RowPreviews(bridge);
  const rows = Array.from({ length: 150 }, (_, index) => rowOf(index, { vault: index === 3 ? 'missing' : 'held' }));
  previews.want(rows);
  await vi.waitFor(() => expect(bridge.inputsOf('library.previews')).toHaveLength(2));
  await vi.waitFor(() => expect(previews.stripOf(rows[149]?.hash ?? '')).toBe(strip));
  expect(previews.stripOf(rows[3]?.hash ?? '')).toBeNull();
  previews.want(rows);
  expect(bridge.inputsOf('library.previews')).toHaveLength(2);
});

test('previews of rows that left before their turn are not requested', async () => {
  const bridge = host();
  const previews = new RowPreviews(bridge);
  previews.want([rowOf(1)]);
  previews.want([rowOf(2)]);
  previews.want([rowOf(3)]);
  await vi.waitFor(() => expect(previews.stripOf(rowOf(3).hash)).toBe(strip));
  expect(previews.stripOf(rowOf(2).hash)).toBeNull();
});
