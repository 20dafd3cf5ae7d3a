import '../../test/page-surroundings.ts';
import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ScanPlaces, ScanPlacesProvider, useScanPlace } from './scan-places.tsx';

test('a place noted for a job reaches all its viewers, and no other page', () => {
  const inPage = renderHook(() => [useScanPlace(221), useScanPlace(221), useScanPlace(222)] as const, {
    wrapper: ScanPlacesProvider,
  }).result;
  const inOther = renderHook(() => useScanPlace(221), { wrapper: ScanPlacesProvider }).result;
  act(() => inPage.current[0][1]({ find: 'ashveil' }));
  expect(inPage.current.map(([{ find }]) => find)).toEqual(['ashveil', 'ashveil', '']);
  expect(inOther.current[0].find).toBe('');
});

test('the job whose place was unused for longest is forgotten when there are too many', () => {
  const places = new ScanPlaces();
  for (let jobId = 1; jobId <= 50; jobId += 1) places.note(jobId, { find: `job ${jobId}` });
  places.note(1, { show: 'hits' });
  places.note(51, { find: 'job 51' });
  expect([1, 3, 51, 2].map((jobId) => places.of(jobId).find)).toEqual(['job 1', 'job 3', 'job 51', '']);
});
