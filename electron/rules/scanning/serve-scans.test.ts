import { describe, expect, test, vi } from 'vitest';
import type { ToLane } from './lane-messages.ts';
import { fromLane, type FromLane } from './lane-reply.ts';
import { ownThread } from './processor-use.ts';
import { serveScans } from './serve-scans.ts';

/** The test's own thread keeps its priority. */
vi.mock(import('../../base/workers.ts'), () => ({ lowerPriority: () => undefined }));

/** A lane in this thread, whose sources are the bytes themselves. */
class LaneHere {
  #tell: (message: unknown) => void = () => undefined;
  #hear: (message: FromLane) => void = () => undefined;

  constructor() {
    const port = {
      postMessage: (message: object) => this.#hear(fromLane.parse(message)),
      on: (_event: 'message', listener: (message: unknown) => void) => (this.#tell = listener),
    };
    serveScans<string>(port, {
      read: async (source) => Buffer.from(source),
      reasonOf: () => null,
      typeOf: (bytes) => (bytes.length > 2 ? 'EXE' : 'UNKNOWN'),
    });
  }

  /** @returns what the lane says next */
  ask(...messages: ToLane<string>[]): Promise<FromLane> {
    return new Promise((resolve) => {
      this.#hear = resolve;
      for (const message of messages) this.#tell(message);
    });
  }

  /** The same, where the lane may compile rules before. */
  results(message: ToLane<string>): Promise<FromLane> {
    return new Promise((resolve) => {
      this.#hear = (said) => {
        if (said.kind !== 'compiling' && said.kind !== 'read') resolve(said);
      };
      this.#tell(message);
    });
  }
}

const rules = (text: string): ToLane<string>[] => [
  { kind: 'source', text },
  { kind: 'compile', engine: 'wasm', variables: [], asking: [], typed: false, stringsFirst: false, reported: null },
];
const scan: ToLane<string> = { kind: 'scan', orders: [{ source: 'x', sizeBytes: 1, variables: [] }] };

test('a file that comes before any rules is a defect, not a clean file', async () => {
  expect(await new LaneHere().ask(scan)).toMatchObject({
    kind: 'defect',
    text: expect.stringContaining('before rules were loaded'),
  });
});

test('rules that were refused leave none to look with, not those before them', async () => {
  const lane = new LaneHere();
  expect(await lane.ask(...rules('rule a { condition: true }'))).toEqual({ kind: 'compiled', thread: ownThread() });
  expect(await lane.ask(scan)).toMatchObject({ kind: 'results', results: [{ found: [{ rule: 'a' }] }] });
  expect(await lane.ask(...rules('rule b { condition: nothing }'))).toMatchObject({ kind: 'refused' });
  expect(await lane.ask(scan)).toMatchObject({ kind: 'defect' });
});

const texts = ['filename', 'filetype'].map((name) => ({ name, type: 'text', value: '' }) as const);
const asking = (...rulesThatAsk: string[]): ToLane<string>[] => [
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
const named = (...names: string[]): ToLane<string> => ({
  kind: 'scan',
  orders: [{ source: 'x', sizeBytes: 1, variables: names.map((filename) => ({ filename })) }],
});
const foundBy = (message: FromLane): unknown =>
  message.kind === 'results' &&
  message.results.map((result) =>
    typeof result === 'object' && 'found' in result ? result.found.map(({ rule }) => rule) : result,
  );

describe('rules that ask for a name', () => {
  test.each([
    [['1234'], ['number', 'plain']],
    [['true'], ['plain', 'truth']],
    [
      ['a.exe', '1234', 'TRUE', 'b.exe'],
      ['b', 'number', 'plain'],
    ],
    [['none'], ['plain']],
  ])('find the bytes under each of the names %j', async (names, found) => {
    const lane = new LaneHere();
    const compiled = asking(
      'rule number { condition: filename == "1234" }',
      'rule truth { condition: filename == "true" }',
      'rule b { condition: filename == "b.exe" }',
      'rule odd { condition: filetype == "EXE" }',
    );
    expect(await lane.ask(...compiled)).toMatchObject({ kind: 'compiled' });
    expect(foundBy(await lane.results(named(...names)))).toEqual([found]);
  });

  test('that cannot be compiled by themselves fail the file, and the next one is scanned', async () => {
    const lane = new LaneHere();
    const [source, , compile] = asking('rule number { condition: filename == "1234" }');
    await lane.ask(
      ...[source, { kind: 'asking', text: 'rule broken { condition: nothing }' } as const, compile].filter(
        (message) => message !== undefined,
      ),
    );
    expect(await lane.results(named('1234'))).toMatchObject({
      results: [{ failed: expect.stringContaining('unknown identifier') }],
    });
    expect(foundBy(await lane.results(named('a.exe')))).toEqual([['plain']]);
  });
});

test('a rule that asks for the type of a file is given it by the reader', async () => {
  const lane = new LaneHere();
  await lane.ask(
    ...asking('rule exe { condition: filetype == "EXE" }', 'rule other { condition: filetype == "UNKNOWN" }'),
  );
  expect(
    foundBy(
      await lane.results({
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
