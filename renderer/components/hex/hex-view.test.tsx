import '../data-grid/layout.fixture.ts';
import { fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { useState } from 'react';
import { describe, expect, test } from 'vitest';
import { useOperation } from '../../bridge/operations.ts';
import type { HexMark } from './hex-mark.ts';
import { HexView, type HexViewProps } from './hex-view.tsx';
import { type FakeFile, hexHost, source } from './hex.fixture.tsx';

const MiB = 1024 * 1024;
/** No two rows near each other look the same. */
const byteAt = (offset: number): number =>
  (offset + Math.floor(offset / 256) * 7 + Math.floor(offset / 65_536) * 13) % 256;
const rowAt = (start: number): string =>
  Array.from({ length: 16 }, (_, at) =>
    byteAt(start + at)
      .toString(16)
      .padStart(2, '0'),
  ).join(' ');
const marks: readonly HexMark[] = [
  { offset: 0x20, length: 5, label: '$head' },
  { offset: 0xbd21a, length: 4, label: '$key' },
  { offset: 0xbd21e, length: 20, label: '$path' },
];

async function open(given: Partial<HexViewProps> & Partial<FakeFile> = {}) {
  const { sizeBytes = 200 * MiB, find, ...props } = given;
  const host = hexHost({ sizeBytes, byteAt, ...(find === undefined ? {} : { find }) });
  const seen: { cursor: number; window: { offset: number; length: number } | null; current: number } = {
    cursor: -1,
    window: null,
    current: props.current ?? -1,
  };
  function Page(changed: Partial<HexViewProps>) {
    const [current, setCurrent] = useState(props.current ?? -1);
    const onCurrent = (index: number): void => {
      seen.current = index;
      setCurrent(index);
    };
    return (
      <HexView
        source={source}
        sizeBytes={sizeBytes}
        marks={marks}
        onCursor={(offset) => {
          seen.cursor = offset;
        }}
        onWindow={(window) => {
          seen.window = window;
        }}
        {...props}
        current={current}
        onCurrent={onCurrent}
        {...changed}
      />
    );
  }
  const { rerender } = render(<Page />, { wrapper: host.wrapper });
  const user = userEvent.setup();
  const grid = () => screen.getByRole('grid', { name: 'Bytes' });
  if (sizeBytes > 0) grid().focus();
  return { ...host, user, seen, grid, change: (changed: Partial<HexViewProps>) => rerender(<Page {...changed} />) };
}

const status = (): string =>
  screen
    .getAllByRole('status')
    .map(({ textContent }) => textContent)
    .join(' ');
const rows = (): (string | undefined)[][] =>
  screen
    .getAllByRole('row')
    .slice(1)
    .map((row) => [...row.children].map(({ textContent }) => textContent.replaceAll('  ', ' ').trim()));
const row = async (offset: string): Promise<HTMLElement> =>
  (await screen.findByRole('rowheader', { name: offset })).parentElement ?? expect.fail('no row');
const ground = (element: HTMLElement, what: string): string[] =>
  [...element.querySelectorAll(`[data-cell=hex] [data-ground=${what}]`)].map(({ textContent }) => textContent);

test('the name of a match is service text, and none of its characters stays hidden', async () => {
  await open({ marks: [{ offset: 0, length: 4, label: '$a\u202eb' }] });
  await waitFor(() => expect(status()).toContain('$a\\u202eb'));
});

describe('a file of 200 MB', () => {
  test('draws the visible rows, reads only the bytes they need, and shows the total', async () => {
    const { grid, seen, inputsOf } = await open();
    await waitFor(() => expect(rows()[1]?.[1]).toBe(rowAt(16)));
    expect(rows().length).toBeLessThan(40);
    expect(grid().getAttribute('aria-rowcount')).toBe('13107201');
    expect(inputsOf('bytes.read')).toEqual([{ source, window: { offset: 0, length: 16_384 } }]);
    expect(seen.window).toEqual({ offset: 0, length: rows().length * 16 });
  });

  test('has every row reachable by keys', async () => {
    const { user, seen } = await open();
    await user.keyboard('{Control>}{End}{/Control}');
    expect(seen.cursor).toBe(200 * MiB - 1);
    expect(rows().at(-1)?.[0]).toBe('0c7ffff0');
    await waitFor(() => expect(rows().at(-1)?.[1]).toBe(rowAt(200 * MiB - 16)));
    await user.keyboard('{ArrowUp}{Home}{PageUp}');
    const before = seen.cursor;
    await user.keyboard('{PageUp}{PageUp}{ArrowLeft}');
    expect(rows()[0]?.[0]).toBe((seen.cursor - (seen.cursor % 16)).toString(16).padStart(8, '0'));
    expect(before - seen.cursor).toBeGreaterThan(16 * 40);
    await user.keyboard('{Control>}{Home}{/Control}{ArrowRight}{ArrowDown}');
    expect(seen.cursor).toBe(17);
    expect(rows()[0]?.[0]).toBe('00000000');
  });

  test('scrolls by the wheel distance, and its scroll bar ends at the ends of the file', async () => {
    const { grid, seen } = await open();
    await waitFor(() => expect(seen.window).not.toBeNull());
    fireEvent.wheel(grid(), { deltaY: 60 });
    expect(rows()[0]?.[0]).toBe('00000030');
    grid().scrollTop = 4_000_000;
    fireEvent.scroll(grid());
    expect(rows().at(-1)?.[0]).toBe('0c7ffff0');
    grid().scrollTop = 0;
    fireEvent.scroll(grid());
    expect(rows()[0]?.[0]).toBe('00000000');
  });
});

describe('the matches', () => {
  test('show the current one, whatever is visible, and are all tinted', async () => {
    await open({ current: 1 });
    const shown = await row('000bd210');
    await waitFor(() => expect(ground(shown, 'c')).toHaveLength(2));
    expect(ground(shown, 'c').join('').split(' ')).toHaveLength(4);
    expect(ground(shown, 'm')).toHaveLength(1);
    expect(ground(await row('000bd230'), 'm')[0]?.split(' ')).toHaveLength(2);
    expect(status()).toContain('0xbd21a 4 bytes, $key');
    expect(screen.getByText('Match 2 of 3')).toBeDefined();
  });

  test('are cycled by N and P, and by the buttons', async () => {
    const { user, seen } = await open();
    expect(screen.getByText('3 matches')).toBeDefined();
    await user.keyboard('n');
    expect([seen.current, seen.cursor]).toEqual([0, 0x20]);
    await user.keyboard('pp');
    expect([seen.current, seen.cursor]).toEqual([1, 0xbd21a]);
    await user.click(screen.getByRole('button', { name: 'Next match' }));
    expect([seen.current, seen.cursor]).toEqual([2, 0xbd21e]);
  });

  test('have no letter keys when these are switched off', async () => {
    const { user, seen, grid } = await open({ letters: false });
    await user.keyboard('ng');
    expect(seen.current).toBe(-1);
    expect(document.activeElement).toBe(grid());
  });

  test('move nothing when passed in another array', async () => {
    const { user, seen, change } = await open({ current: 1 });
    await user.keyboard('{ArrowRight}{ArrowRight}');
    change({ marks: marks.map((mark) => ({ ...mark })) });
    expect(seen.cursor).toBe(0xbd21c);
  });
});

describe('the offset field', () => {
  test('G focuses the offset field, and Enter moves to the byte and back to the rows', async () => {
    const { user, seen, grid } = await open();
    await user.keyboard('g');
    expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Go to offset' }));
    await user.keyboard('0x7654321{Enter}');
    expect(seen.cursor).toBe(0x7654321);
    expect(document.activeElement).toBe(grid());
    await waitFor(async () => expect((await row('07654320')).textContent).toContain(rowAt(0x7654320).slice(0, 11)));
  });

  test('an invalid offset is reported, and Escape discards it', async () => {
    const { user, seen, grid } = await open();
    await user.keyboard('gffffffff{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('The last offset is 0xc7fffff');
    await user.keyboard('x{Enter}');
    expect(screen.getByRole('alert').textContent).toBe('Not an offset');
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('alert')).toBeNull();
    expect([seen.cursor, document.activeElement]).toEqual([0, grid()]);
  });

  test('the view moves to a requested offset again at each request', async () => {
    const { user, seen, change } = await open();
    change({ goTo: { offset: 0x1000, times: 1 } });
    expect(seen.cursor).toBe(0x1000);
    await user.keyboard('{ArrowRight}');
    change({ goTo: { offset: 0x1000, times: 1 } });
    expect(seen.cursor).toBe(0x1001);
    change({ goTo: { offset: 0x1000, times: 2 } });
    expect(seen.cursor).toBe(0x1000);
  });
});

describe('selection and copying', () => {
  test('Shift extends the selection over rows, and Escape clears it', async () => {
    const { user } = await open();
    await user.keyboard('{ArrowRight}{ArrowRight}{Shift>}{ArrowDown}{ArrowLeft}{/Shift}');
    expect(status()).toContain('0x2 to 0x11, 16 bytes selected');
    await waitFor(async () => expect(ground(await row('00000010'), 's').join(' ')).toContain('10'));
    await user.keyboard('{Escape}');
    expect(status()).not.toContain('selected');
  });

  test('copying takes the selection as digits and as text, inside or outside the visible rows', async () => {
    const { user } = await open();
    await user.keyboard('g0x40{Enter}{Shift>}{ArrowDown}{/Shift}{Control>}c{/Control}');
    await waitFor(() => expect(status()).toContain('Copied 17 bytes'));
    expect(await navigator.clipboard.readText()).toBe(`${rowAt(0x40)} 50`);
    await user.click(screen.getByRole('button', { name: 'Copy text' }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('@ABCDEFGHIJKLMNOP'));
  });

  test('copying takes the match under the cursor when nothing is selected', async () => {
    const { user, seen } = await open({ current: 0 });
    await waitFor(() => expect(seen.cursor).toBe(0x20));
    await user.keyboard('{Control>}c{/Control}');
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe('20 21 22 23 24'));
  });

  test('copying refuses more than 64 KiB without reading it', async () => {
    const { user, inputsOf } = await open();
    await waitFor(() => expect(inputsOf('bytes.read')).toHaveLength(1));
    await user.keyboard('{Control>}a{/Control}{Control>}c{/Control}');
    await waitFor(() => expect(status()).toContain('At most 64 KiB at a time'));
    expect(inputsOf('bytes.read')).toHaveLength(1);
  });
});

describe('search', () => {
  const field = () => screen.getByRole('textbox', { name: 'Search bytes' });

  test('Ctrl F opens the search; Enter continues after the last match and wraps at the end', async () => {
    const places = [0x5000, 0x9000];
    const find: FakeFile['find'] = async ({ from, backwards }) =>
      (backwards ? places.findLast((at) => at < from) : places.find((at) => at >= from)) ?? null;
    const { user, seen, inputsOf, grid } = await open({ find });
    await user.keyboard('{Control>}f{/Control}');
    await user.type(field(), 'Sync{Enter}');
    await waitFor(() => expect(seen.cursor).toBe(0x5000));
    expect(inputsOf('bytes.find')).toEqual([
      expect.objectContaining({ source, pattern: { hex: '53796e63', anyCase: false }, from: 0, backwards: false }),
    ]);
    expect(status()).toContain('0x5000 to 0x5003, 4 bytes selected');
    await user.keyboard('{Enter}');
    await waitFor(() => expect(seen.cursor).toBe(0x9000));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(status()).toContain('Not found. Enter starts over'));
    await user.keyboard('{Enter}');
    await waitFor(() => expect(seen.cursor).toBe(0x5000));
    await user.keyboard('{Shift>}{Enter}{/Shift}');
    await waitFor(() => expect(status()).toContain('Not found. Enter continues'));
    await user.keyboard('{Escape}');
    expect(screen.queryByRole('search')).toBeNull();
    expect(document.activeElement).toBe(grid());
  });

  test('the search finds wide text, any case and digits', async () => {
    const { user, inputsOf } = await open({ find: async () => null });
    await user.click(screen.getByRole('button', { name: 'Search' }));
    await user.click(screen.getByRole('checkbox', { name: 'Wide' }));
    await user.click(screen.getByRole('checkbox', { name: 'Any case' }));
    await user.type(field(), 'ab{Enter}');
    await user.selectOptions(screen.getByRole('combobox', { name: 'Search for' }), 'hex');
    await user.clear(field());
    await user.type(field(), '5a 1{Enter}');
    expect(status()).toContain('Enter pairs of hex digits');
    await user.type(field(), 'c{Enter}');
    expect(inputsOf('bytes.find')).toMatchObject([
      { pattern: { hex: '61006200', anyCase: true } },
      { pattern: { hex: '5a1c', anyCase: false } },
    ]);
  });

  test('Escape cancels a search, and its answer is ignored', async () => {
    const answer = Promise.withResolvers<number | null>();
    const { user, seen, inputsOf } = await open({ find: () => answer.promise });
    await user.keyboard('{Control>}f{/Control}');
    await user.type(field(), 'x{Enter}{Escape}');
    expect(status()).toContain('Stopped');
    const [begun] = inputsOf('bytes.find');
    expect(inputsOf('bytes.stopFind')).toEqual([{ search: expect.any(String) }]);
    expect(begun).toMatchObject(inputsOf('bytes.stopFind')[0] ?? {});
    answer.resolve(0x5000);
    await answer.promise;
    expect(seen.cursor).toBe(0);
  });

  test('leaving the file cancels a search', async () => {
    const { user, inputsOf, change } = await open({ find: () => new Promise(() => {}) });
    await user.keyboard('{Control>}f{/Control}');
    await user.type(field(), 'x{Enter}');
    change({ source: { kind: 'scan', jobId: 7, position: 2 } });
    expect(inputsOf('bytes.stopFind')).toHaveLength(1);
    expect(screen.queryByRole('search')).toBeNull();
  });
});

test('the view reports a file without bytes', async () => {
  await open({ sizeBytes: 0, marks: [] });
  expect(screen.getByText('This file is empty.')).toBeDefined();
  expect(screen.queryByRole('grid')).toBeNull();
});

test('the view shows only the bytes of a file that ends in the middle of a row', async () => {
  const { user, seen } = await open({ sizeBytes: 19, marks: [] });
  await waitFor(() =>
    expect(rows()).toEqual([
      ['00000000', rowAt(0), expect.any(String)],
      ['00000010', '10 11 12', '···'],
    ]),
  );
  await user.keyboard('{ArrowDown}{End}{ArrowRight}{ArrowDown}');
  expect(seen.cursor).toBe(18);
});

test('the view reports missing bytes and requests them again on demand', async () => {
  const host = hexHost({ sizeBytes: 64, byteAt });
  host.host.failure = { kind: 'not-in-vault', sha256: 'a'.repeat(64) };
  render(<HexView source={source} sizeBytes={64} marks={[]} current={-1} onCurrent={() => {}} />, {
    wrapper: host.wrapper,
  });
  expect((await screen.findByRole('alert')).textContent).toContain('This sample is not in the vault');
  host.host.failure = null;
  await userEvent.click(within(screen.getByRole('alert')).getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(rows()[0]?.[1]).toBe(rowAt(0)));
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a byte already read for another purpose gives the same answer', async () => {
  const host = hexHost({ sizeBytes: 1, byteAt: () => 0x41 });
  function Page() {
    const { data } = useOperation('bytes.read', { source, window: { offset: 0, length: 1 } });
    return data === undefined ? null : (
      <HexView source={source} sizeBytes={data.sizeBytes} marks={[]} current={-1} onCurrent={() => {}} />
    );
  }
  render(<Page />, { wrapper: host.wrapper });
  await waitFor(() => expect(rows()).toEqual([['00000000', '41', 'A']]));
});
