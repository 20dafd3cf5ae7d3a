import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { EventHub, type HostEvent } from './event-hub.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const libraryChanged: HostEvent = { name: 'library.changed', payload: {} };

function heard(): { hub: EventHub; names: string[] } {
  const [hub, names]: [EventHub, string[]] = [new EventHub(), []];
  hub.subscribe(({ name }) => void names.push(name));
  return { hub, names };
}

test('a library change is announced at once, then at most four times a second, including the last one', () => {
  const { hub, names } = heard();
  for (let change = 0; change < 1500; change += 1) hub.emit(libraryChanged);
  expect(names).toHaveLength(1);
  vi.advanceTimersByTime(250);
  expect(names).toHaveLength(2);
  vi.advanceTimersByTime(1000);
  expect(names).toHaveLength(2);
  hub.emit(libraryChanged);
  expect(names).toHaveLength(3);
});

test('a constantly changing library is announced four times a second', () => {
  const { hub, names } = heard();
  for (let ms = 0; ms < 2000; ms += 1) {
    hub.emit(libraryChanged);
    vi.advanceTimersByTime(1);
  }
  expect(names).toHaveLength(9);
});

test('every other event is announced each time', () => {
  const { hub, names } = heard();
  for (let change = 0; change < 3; change += 1) hub.emit({ name: 'workspaces.changed', payload: {} });
  expect(names).toHaveLength(3);
});
