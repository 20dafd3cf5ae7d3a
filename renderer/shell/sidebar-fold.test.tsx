import '../test/page-surroundings.ts';
import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { rememberedSidebarFold } from '../memory/preferences.ts';
import { useSidebarFold } from './sidebar.tsx';

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

test('the sidebar keeps the collapsed state set by the person', () => {
  const { result } = renderHook(useSidebarFold);
  act(() => result.current.toggle());
  expect(result.current.isFolded).toBe(true);
  expect(renderHook(useSidebarFold).result.current.isFolded).toBe(true);
});

test('the collapsed state is not stored in a narrow window, where it always applies', () => {
  const { result } = renderHook(useSidebarFold);
  resize(true);
  expect(result.current).toMatchObject({ isFolded: true, canToggle: false });
  act(() => result.current.toggle());
  expect(rememberedSidebarFold()).toBeNull();
  resize(false);
  expect(result.current).toMatchObject({ isFolded: false, canToggle: true });
});
