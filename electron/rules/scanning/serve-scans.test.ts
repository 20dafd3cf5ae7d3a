import { describe, expect, test, vi } from 'vitest';
import { ownThread } from './processor-use.ts';
import { serveScans } from './serve-scans.ts';
import type { ToScanWorker } from './worker-messages.ts';
import { fromScanWorker, type FromScanWorker } from './worker-reply.ts';

/** The test's own thread keeps its priority. */
vi.mock(import('../../base/workers.ts'), () => ({ lowerPriority: () => undefined }));

/** A scan worker in this thread, whose sources are the bytes themselves. */
class WorkerHere {
  #report: (message: unknown) => void = () => undefined;
  #hear: (message: FromScanWorker) => void = () => undefined;

  constructor() {
    const port = {
      postMessage: (message: object) => this.#hear(fromScanWorker.parse(message)),
      on: (_event: 'message', listener: (message: unknown) => void) => (this.#report = listener),
    };
    serveScans<string>(port, {
      read: async (source) => Buffer.from(source),
      reasonOf: () => null,
      typeOf: (bytes) => (bytes.length > 2 ? 'EXE' : 'UNKNOWN'),
    });
  }

  /** @returns the scan worker's next message */
  ask(...messages: ToScanWorker<string>[]): Promise<FromScanWorker> {
    return new Promise((resolve) => {
      this.#hear = resolve;
      for (const message of messages) this.#report(message);
    });
  }

  /** The same, where the scan worker may compile rules before. */
  results(message: ToScanWorker<string>): Promise<FromScanWorker> {
    return new Promise((resolve) => {
      this.#hear = (said) => {
        if (said.kind !== 'compiling' && said.kind !== 'read') resolve(said);
      };
      this.#report(message);
    });
  }
}

const rules = (text: string): ToScanWorker<string>[] => [
  { kind: 'source', text },
  { kind: 'compile', engine: 'wasm', variables: [], asking: [], typed: false, stringsFirst: false, reported: null },
];
const scan: ToScanWorker<string> = { kind: 'scan', orders: [{ source: 'x', sizeBytes: 1, variables: [] }] };

test('a file before any rules is a defect, not a result without hits', async () => {
  expect(await new WorkerHere().ask(scan)).toMatchObject({
    kind: 'defect',
    text: expect.stringContaining('before rules were loaded'),
  });
});

test('refused rules leave none to scan with, not the previous ones', async () => {
  const worker = new WorkerHere();
  expect(await worker.ask(...rules('rule a { condition: true }'))).toEqual({ kind: 'compiled', thread: ownThread() });
  expect(await worker.ask(scan)).toMatchObject({ kind: 'results', results: [{ found: [{ rule: 'a' }] }] });
  expect(await worker.ask(...rules('rule b { condition: nothing }'))).toMatchObject({ kind: 'refused' });
  expect(await worker.ask(scan)).toMatchObject({ kind: 'defect' });
});

const texts = ['filename', 'filetype'].map((name) => ({ name, type: 'text', value: '' }) as const);
const asking = (...rulesThatAsk: string[]): ToScanWorker<string>[] => [
  { kind: 'source', text: `rule plain { strings: $a = "x" condition: $a }\n${rulesThatAsk.join('\n')}` },
  { kind: 'asking', text: rulesThatAsk.join('\n') },
  {
    kind: 'compile',
    engine: 'native',
    variables: texts,
    asking: rulesThatAsk.map((rule) => /rule (\w+)/.exec(rule)?.[1] ?? ''),
    typed: true,
    stringsFirst: false,
    reported: null,
  },
];
const named = (...names: string[]): ToScanWorker<string> => ({
  kind: 'scan',
  orders: [{ source: 'x', sizeBytes: 1, variables: names.map((filename) => ({ filename })) }],
});
const foundBy = (message: FromScanWorker): unknown =>
  message.kind === 'results' &&
  message.results.map((result) =>
    typeof result === 'object' && 'found' in result ? result.found.map(({ rule }) => rule) : result,
  );

describe('rules that use a name', () => {
  test.each([
    [['1234'], ['number', 'plain']],
    [['true'], ['plain', 'truth']],
    [
      ['a.exe', '1234', 'TRUE', 'b.exe'],
      ['b', 'number', 'plain'],
    ],
    [['none'], ['plain']],
  ])('match the bytes under each of the names %j', async (names, found) => {
    const worker = new WorkerHere();
    const compiled = asking(
      'rule number { condition: filename == "1234" }',
      'rule truth { condition: filename == "true" }',
      'rule b { condition: filename == "b.exe" }',
      'rule odd { condition: filetype == "EXE" }',
    );
    expect(await worker.ask(...compiled)).toMatchObject({ kind: 'compiled' });
    expect(foundBy(await worker.results(named(...names)))).toEqual([found]);
  });

  test('fail the file when they do not compile by themselves, and the next one is scanned', async () => {
    const worker = new WorkerHere();
    const [source, , compile] = asking('rule number { condition: filename == "1234" }');
    await worker.ask(
      ...[source, { kind: 'asking', text: 'rule broken { condition: nothing }' } as const, compile].filter(
        (message) => message !== undefined,
      ),
    );
    expect(await worker.results(named('1234'))).toMatchObject({
      results: [{ failed: expect.stringContaining('unknown identifier') }],
    });
    expect(foundBy(await worker.results(named('a.exe')))).toEqual([['plain']]);
  });
});

test('a rule that uses the type of a file gets it from the reader', async () => {
  const worker = new WorkerHere();
  await worker.ask(
    ...asking('rule exe { condition: filetype == "EXE" }', 'rule other { condition: filetype == "UNKNOWN" }'),
  );
  expect(
    foundBy(
      await worker.results({
        kind: 'scan',
        orders: [
          { source: 'MZx', sizeBytes: 3, variables: [{}] },
          { source: 'x', sizeBytes: 1, variables: [] },
        ],
      }),
    ),
  ).toEqual([
    ['exe', 'plain'],
    ['other', 'plain'],
  ]);
});
