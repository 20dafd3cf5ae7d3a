import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { ProgressLine } from './progress-line.tsx';

const line = (receivedBytes: number, totalBytes: number | null) => (
  <ProgressLine label="Receiving" receivedBytes={receivedBytes} totalBytes={totalBytes} bytesPerSecond={0} />
);
const value = (): string | null => screen.getByRole('progressbar').getAttribute('aria-valuenow');

test('the bar of a transfer begins at zero, never falls back and is not full before the end', () => {
  const { rerender } = render(line(0, 200));
  expect(value()).toBe('0');
  rerender(line(100, 200));
  expect(value()).toBe('50');
  // It begins again, and its size is not known for a moment.
  rerender(line(0, null));
  expect(value()).toBe('50');
  rerender(line(20, 200));
  expect([value(), screen.getByText('20 bytes of 200 bytes').tagName]).toEqual(['50', 'SPAN']);
  rerender(line(200, 200));
  expect(value()).toBe('99');
});

test('the bar of a transfer has no value while its size was never known', () => {
  render(line(20, null));
  expect(value()).toBeNull();
});
