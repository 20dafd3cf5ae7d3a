import { act, renderHook } from '@testing-library/react';
import { expect, test } from 'vitest';
import { NavigationProvider, useNavigation } from './navigation.tsx';

const show = () => renderHook(useNavigation, { wrapper: NavigationProvider }).result;

test('the way to the library leads from a sample of it to its list', () => {
  const navigation = show();
  act(() => navigation.current.openSample('a'));
  expect(navigation.current).toMatchObject({ currentView: 'library', shownSample: 'a' });
  act(() => navigation.current.openView('library'));
  expect(navigation.current).toMatchObject({ currentView: 'library', shownSample: null });
});

test('from another view it leads back to where one was in it', () => {
  const navigation = show();
  act(() => navigation.current.openSample('a'));
  act(() => navigation.current.openView('scan'));
  act(() => navigation.current.openView('library'));
  expect(navigation.current).toMatchObject({ currentView: 'library', shownSample: 'a' });
});

test('a sample is shown in place of another', () => {
  const navigation = show();
  act(() => navigation.current.openSample('a'));
  act(() => navigation.current.openSample('b'));
  expect(navigation.current.shownSample).toBe('b');
});
