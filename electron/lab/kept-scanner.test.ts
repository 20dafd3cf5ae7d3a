import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { LabError } from './errors.ts';
import { KeptScanner } from './publication-scanner.ts';

/** What a scanner is here: its name, and whether it is closed. */
interface Named {
  name: string;
  close(): Promise<void>;
}

let reported: string[];
beforeEach(() => void (reported = []));

async function open(name: string): Promise<Named> {
  reported.push(`open ${name}`);
  return { name, close: async () => void reported.push(`close ${name}`) };
}

const nameOf = ({ name }: Named): Promise<string> => Promise.resolve(name);

function clocked(): void {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
}

test('the kept scanner opens one scanner for all callers that request the same', async () => {
  const kept = new KeptScanner<Named>(1_000);
  expect(
    await Promise.all([kept.use('a', () => open('a'), nameOf), kept.use('a', () => open('a again'), nameOf)]),
  ).toEqual(['a', 'a']);
  expect(await kept.use('a', () => open('a once more'), nameOf)).toBe('a');
  expect(reported).toEqual(['open a']);
  await kept.close();
  expect(reported).toEqual(['open a', 'close a']);
});

test('the kept scanner closes a scanner after its idle time, but not while it is in use', async () => {
  clocked();
  const kept = new KeptScanner<Named>(1_000);
  await kept.use('a', () => open('a'), nameOf);
  await vi.advanceTimersByTimeAsync(999);
  const work = Promise.withResolvers<string>();
  const used = kept.use(
    'a',
    () => open('a'),
    () => work.promise,
  );
  await vi.advanceTimersByTimeAsync(5_000);
  expect(reported).toEqual(['open a']);
  work.resolve('done');
  await used;
  await vi.advanceTimersByTimeAsync(999);
  expect(reported).toEqual(['open a']);
  await vi.advanceTimersByTimeAsync(1);
  expect(reported).toEqual(['open a', 'close a']);
  expect(await kept.use('a', () => open('b'), nameOf)).toBe('b');
});

test('the kept scanner replaces a scanner when another is requested, and closes the first after its work', async () => {
  const kept = new KeptScanner<Named>(60_000);
  const work = Promise.withResolvers<string>();
  const first = kept.use(
    'a',
    () => open('a'),
    () => work.promise,
  );
  await kept.use('b', () => open('b'), nameOf);
  expect(reported).toEqual(['open a', 'open b']);
  work.resolve('ended');
  expect(await first).toBe('ended');
  expect(reported).toEqual(['open a', 'open b', 'close a']);
  await kept.use('c', () => open('c'), nameOf);
  await kept.close();
  expect(reported.toSorted()).toEqual(['close a', 'close b', 'close c', 'open a', 'open b', 'open c']);
});

test('the kept scanner retries a scanner that failed to open at the next use', async () => {
  const kept = new KeptScanner<Named>(60_000);
  const broken = (): Promise<Named> => Promise.reject(new Error('no engine'));
  await expect(kept.use('a', broken, nameOf)).rejects.toThrow('no engine');
  expect(await kept.use('a', () => open('a'), nameOf)).toBe('a');
  await kept.close();
});

test('the kept scanner stays open when work fails for its file, and closes at any other failure', async () => {
  const kept = new KeptScanner<Named>(60_000);
  await expect(
    kept.use(
      'a',
      () => open('a'),
      () => Promise.reject(new LabError('scan-timed-out', 'too long')),
    ),
  ).rejects.toThrow('too long');
  expect(await kept.use('a', () => open('b'), nameOf)).toBe('a');
  await expect(
    kept.use(
      'a',
      () => open('b'),
      () => Promise.reject(new Error('the engine is gone')),
    ),
  ).rejects.toThrow('gone');
  expect(reported).toEqual(['open a', 'close a']);
  expect(await kept.use('a', () => open('c'), nameOf)).toBe('c');
  await kept.close();
});

test('the kept scanner closes scanners in use and in preparation once, and refuses later uses', async () => {
  const kept = new KeptScanner<Named>(60_000);
  const [work, opened] = [Promise.withResolvers<string>(), Promise.withResolvers<Named>()];
  const first = kept.use(
    'a',
    () => open('a'),
    () => work.promise,
  );
  const second = kept.use('b', () => opened.promise, nameOf);
  const closed = kept.close();
  opened.resolve(await open('b'));
  await closed;
  work.resolve('late');
  expect([await first, await second]).toEqual(['late', 'b']);
  expect(reported.toSorted()).toEqual(['close a', 'close b', 'open a', 'open b']);
  await expect(kept.use('a', () => open('a'), nameOf)).rejects.toMatchObject({ failure: { kind: 'cancelled' } });
});
