import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NavigationProvider, useNavigation } from './navigation.tsx';

const show = () => renderHook(useNavigation, { wrapper: NavigationProvider }).result;

test('the library link leads from one of its samples to its list', () => {
  const navigation = show();
  act(() => navigation.current.openSample('a'));
  expect(navigation.current).toMatchObject({ currentView: 'library', shownSample: 'a' });
  act(() => navigation.current.openView('library'));
  expect(navigation.current).toMatchObject({ currentView: 'library', shownSample: null });
});

test('the library link from another view leads back to the last place in it', () => {
  const navigation = show();
  act(() => navigation.current.openSample('a'));
  act(() => navigation.current.openView('scan'));
  act(() => navigation.current.openView('library'));
  expect(navigation.current).toMatchObject({ currentView: 'library', shownSample: 'a' });
});

test('a sample replaces another one when shown', () => {
  const navigation = show();
  act(() => navigation.current.openSample('a'));
  act(() => navigation.current.openSample('b'));
  expect(navigation.current.shownSample).toBe('b');
});
