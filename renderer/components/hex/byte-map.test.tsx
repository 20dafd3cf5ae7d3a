import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ByteLegend, ByteMap } from './byte-map.tsx';
import { CursorFacts } from './cursor-facts.tsx';
import { hexHost, source } from './hex.fixture.tsx';

beforeEach(() => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} }));
  // jsdom draws nothing.
  HTMLCanvasElement.prototype.getContext = () => null;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const file = {
  sizeBytes: 51_200,
  byteAt: (offset: number) => offset % 256,
  map: `${'000'.repeat(256)}${'3ff'.repeat(256)}`,
};

function open() {
  const host = hexHost(file);
  const led: number[] = [];
  const show = (offset: number) => (
    <ByteMap
      source={source}
      sizeBytes={file.sizeBytes}
      window={{ offset, length: 640 }}
      onGoTo={(to) => led.push(to)}
    />
  );
  const { rerender } = render(show(0), { wrapper: host.wrapper });
  return {
    ...host,
    led,
    at: (offset: number) => rerender(show(offset)),
    map: () => screen.getByRole('slider', { name: 'Byte map' }),
  };
}

test('ByteMap describes the visible bytes', async () => {
  const { map, at } = open();
  await waitFor(() => expect(map().getAttribute('aria-valuetext')).toBe('0x0, zero, entropy 0.0 of 8'));
  at(51_000);
  expect(map().getAttribute('aria-valuetext')).toBe('0xc738, high, entropy 8.0 of 8');
  expect(map().getAttribute('aria-valuenow')).toBe('51000');
});

test('a press and keys lead to bytes', async () => {
  const { led, map } = open();
  await screen.findByRole('slider');
  map().getBoundingClientRect = () => new DOMRect(100, 0, 200, 40);
  fireEvent.pointerDown(map(), { clientX: 200 });
  fireEvent.pointerMove(map(), { clientX: 900, buttons: 1 });
  fireEvent.pointerMove(map(), { clientX: 150, buttons: 0 });
  map().focus();
  await userEvent.keyboard('{ArrowRight}{End}');
  expect(led).toEqual([25_600, 51_199, 100, 51_199]);
});

test('a failed map is reported and built on the next request', async () => {
  const host = hexHost(file);
  host.host.failure = { kind: 'vault-damaged', sha256: 'a'.repeat(64) };
  render(<ByteMap source={source} sizeBytes={file.sizeBytes} window={null} onGoTo={() => {}} />, {
    wrapper: host.wrapper,
  });
  expect(await screen.findByText(/No byte map: The sample in the vault is damaged/)).toBeDefined();
  host.host.failure = null;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('slider')).toBeDefined();
});

test('the legend names each class', () => {
  render(<ByteLegend />);
  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'zero',
    'text',
    'mixed',
    'high',
    'ff',
  ]);
});

test('the values at the cursor are those of its bytes, up to the end of the file', async () => {
  const host = hexHost(file);
  const { rerender } = render(<CursorFacts source={source} sizeBytes={file.sizeBytes} offset={16_382} />, {
    wrapper: host.wrapper,
  });
  const reported = (): (string | null)[] => screen.getAllByRole('definition').map(({ textContent }) => textContent);
  await waitFor(() =>
    expect(reported()).toEqual(['254', '65534', '16842750', '16842750', expect.stringMatching(/^2.37e-38$/), '····']),
  );
  rerender(<CursorFacts source={source} sizeBytes={file.sizeBytes} offset={51_199} />);
  await waitFor(() => expect(reported()).toEqual(['255', '–', '–', '–', '–', '·']));
});
