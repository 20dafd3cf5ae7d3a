import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ToastMessage, ToastProvider, useToast } from './toasts.tsx';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Notifier({ message }: { message: ToastMessage }) {
  const report = useToast();
  return (
    <button type="button" onClick={() => report(message)}>
      Tell
    </button>
  );
}

function showReported(message: ToastMessage): void {
  render(
    <ToastProvider>
      <Notifier message={message} />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Tell' }));
}

test('a toast of a completed action is shown for a limited time', () => {
  showReported({ meaning: 'ok', text: 'Muted' });
  expect(screen.getByText('Muted')).toBeDefined();
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.queryByText('Muted')).toBeNull();
});

test('a failure shown only in a toast stays until it is closed, and its details can be copied', () => {
  showReported({ meaning: 'bad', text: 'Not undone: the disk is full', failure: { kind: 'disk-full', path: '/data' } });
  act(() => void vi.advanceTimersByTime(600_000));
  expect(screen.getByText('Not undone: the disk is full')).toBeDefined();
  expect(screen.getByRole('button', { name: 'Copy details' })).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByText('Not undone: the disk is full')).toBeNull();
});

test('a toast whose button is the only access stays until it is closed', () => {
  showReported({
    meaning: 'info',
    text: 'The ZIP is ready',
    stays: true,
    action: { text: 'Save the ZIP', act: () => {} },
  });
  act(() => void vi.advanceTimersByTime(600_000));
  expect(screen.getByRole('button', { name: 'Save the ZIP' })).toBeDefined();
});

test('a toast of a failure is not pushed out by later actions', () => {
  function Many() {
    const report = useToast();
    return (
      <button
        type="button"
        onClick={() => ['Muted', 'Unmuted', 'Tagged'].forEach((text) => report({ meaning: 'ok', text }))}
      >
        Go on
      </button>
    );
  }
  render(
    <ToastProvider>
      <Notifier message={{ meaning: 'bad', text: 'Not undone' }} />
      <Many />
    </ToastProvider>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'Tell' }));
  fireEvent.click(screen.getByRole('button', { name: 'Go on' }));
  expect(screen.getByText('Not undone')).toBeDefined();
  expect(screen.getByText('Tagged')).toBeDefined();
});

test('a toast stays while it has the focus, whatever else is reported', () => {
  showReported({ meaning: 'ok', text: 'Muted', undo: () => {} });
  act(() => screen.getByRole('button', { name: 'Undo' }).focus());
  for (let count = 0; count < 3; count += 1) fireEvent.click(screen.getByRole('button', { name: 'Tell' }));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Undo' }));
});

test('the toast region is a pane while it shows something', () => {
  showReported({ meaning: 'ok', text: 'Muted' });
  expect(screen.getByRole('region', { name: 'Notifications' }).matches('[data-pane]')).toBe(true);
  act(() => void vi.advanceTimersByTime(10_000));
  expect(screen.getByRole('region', { name: 'Notifications' }).matches('[data-pane]')).toBe(false);
});

test('a toast of an undoable action shows the key for undo', () => {
  const undo = vi.fn();
  showReported({ meaning: 'ok', text: 'Muted', undo });
  expect(screen.getByRole('button', { name: 'Undo' }).textContent).toBe('UndoCtrl Z');
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }));
  expect(undo).toHaveBeenCalledTimes(1);
  expect(screen.queryByText('Muted')).toBeNull();
});
