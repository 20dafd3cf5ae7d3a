import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ToastMessage, ToastProvider, useToast } from './toasts.tsx';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Teller({ message }: { message: ToastMessage }) {
  const tell = useToast();
  return (
    <button type="button" onClick={() => tell(message)}>
      Tell
    </button>
  );
}

function showTold(message: ToastMessage): void {
  render(
    <ToastProvider>
      <Teller message={message} />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Tell' }));
}

test('what was done is said for a while', () => {
  showTold({ meaning: 'ok', text: 'Muted' });
  expect(screen.getByText('Muted')).toBeDefined();
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.queryByText('Muted')).toBeNull();
});

test('a failure that has no other place stays until it is closed, and its details can be copied', () => {
  showTold({ meaning: 'bad', text: 'Not undone: the disk is full', failure: { kind: 'disk-full', path: '/data' } });
  act(() => void vi.advanceTimersByTime(600_000));
  expect(screen.getByText('Not undone: the disk is full')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Copy details' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Not undone: the disk is full')).toBeNull();
});

test('what can be had by its button alone stays until it is closed', () => {
  showTold({ meaning: 'info', text: 'The ZIP is ready', stays: true, action: { text: 'Save the ZIP', act: () => {} } });
  act(() => void vi.advanceTimersByTime(600_000));
  expect(screen.getByRole('button', { name: 'Save the ZIP' })).toBeDefined();
});

test('a failure is not pushed out by what is done afterwards', () => {
  function Many() {
    const tell = useToast();
    return (
      <button
        type="button"
        onClick={() => ['Muted', 'Unmuted', 'Tagged'].forEach((text) => tell({ meaning: 'ok', text }))}
      >
        Go on
      </button>
    );
  }
  render(
    <ToastProvider>
      <Teller message={{ meaning: 'bad', text: 'Not undone' }} />
      <Many />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Tell' }));
  fireEvent.click(screen.getByRole('button', { name: 'Go on' }));
  expect(screen.getByText('Not undone')).toBeDefined();
  expect(screen.getByText('Tagged')).toBeDefined();
});

test('a toast stays while the focus is in it, whatever else is told', () => {
  showTold({ meaning: 'ok', text: 'Muted', undo: () => {} });
  act(() => screen.getByRole('button', { name: 'Undo' }).focus());
  for (let count = 0; count < 3; count += 1) fireEvent.click(screen.getByRole('button', { name: 'Tell' }));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo' }));
});

test('the region is a pane while something is told in it', () => {
  showTold({ meaning: 'ok', text: 'Muted' });
  expect(screen.getByRole('region', { name: 'Notifications' }).matches('[data-pane]')).toBe(true);
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('region', { name: 'Notifications' }).matches('[data-pane]')).toBe(false);
});

test('what can be taken back shows the key that does it', () => {
  const undo = vi.fn();
  showTold({ meaning: 'ok', text: 'Muted', undo });
  expect(screen.getByRole('button', { name: 'Undo' }).textContent).toBe('UndoCtrl Z');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Muted')).toBeNull();
});
