import '../test/page-surroundings.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rememberedRailFold } from '../memory/preferences.ts';
import { useRailFold } from './sidebar.tsx';

let isNarrow = false;
const watched = new EventTarget();

beforeEach(() => {
  isNarrow = false;
  localStorage.clear();
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(watched, {
      media,
      matches: isNarrow,
      onchange: null,
      addListener: () => {},
      removeListener: () => {},
    }),
  );
});
afterEach(() => {
  vi.restoreAllMocks();
  localStorage.clear();
});

const resize = (narrow: boolean): void => {
  isNarrow = narrow;
  act(() => void watched.dispatchEvent(new Event('change')));
};

test('the rail is folded as the person left it', () => {
  const { result } = renderHook(useRailFold);
  act(() => result.current.toggle());
  expect(result.current.isFolded).toBe(true);
  expect(renderHook(useRailFold).result.current.isFolded).toBe(true);
});

test('in a narrow window, where it is always folded, nothing is chosen', () => {
  const { result } = renderHook(useRailFold);
  resize(true);
  expect(result.current).toMatchObject({ isFolded: true, canToggle: false });
  act(() => result.current.toggle());
  expect(rememberedRailFold()).toBeNull();
  resize(false);
  expect(result.current).toMatchObject({ isFolded: false, canToggle: true });
});
