import { expect, test, vi } from 'vitest';
import type { ToLane } from './lane-messages.ts';
import { fromLane, type FromLane } from './lane-reply.ts';
import { ownThread } from './processor-use.ts';
import { serveScans } from './serve-scans.ts';

/** The test's own thread keeps its priority. */
vi.mock(import('../../threads/stand-back.ts'), () => ({ standBack: () => undefined }));

/** A lane in this thread, whose sources are the bytes themselves. */
class LaneHere {
  #tell: (message: unknown) => void = () => undefined;
  #hear: (message: FromLane) => void = () => undefined;

  constructor() {
    const port = { postMessage: (message: object) => this.#hear(fromLane.parse(message)), on: (_event: 'message', listener: (message: unknown) => void) => (this.#tell = listener) };
    serveScans<string>(port, { read: async (source) => Buffer.from(source), reasonOf: () => null });
  }

  /** @returns what the lane says next */
  ask(...messages: ToLane<string>[]): Promise<FromLane> {
    return new Promise((resolve) => {
      this.#hear = resolve;
      for (const message of messages) this.#tell(message);
    });
  }
}

const rules = (text: string): ToLane<string>[] => [{ kind: 'source', text }, { kind: 'compile', engine: 'wasm', variables: [], reported: null }];
const scan: ToLane<string> = { kind: 'scan', orders: [{ source: 'x', sizeBytes: 1, variables: {} }] };

test('a file that comes before any rules is a defect, not a clean file', async () => {
  expect(await new LaneHere().ask(scan)).toMatchObject({ kind: 'defect', text: expect.stringContaining('no rules') });
});

test('rules that were refused leave none to look with, not those before them', async () => {
  const lane = new LaneHere();
  expect(await lane.ask(...rules('rule a { condition: true }'))).toEqual({ kind: 'compiled', thread: ownThread() });
  expect(await lane.ask(scan)).toMatchObject({ kind: 'results', results: [{ found: [{ rule: 'a' }] }] });
  expect(await lane.ask(...rules('rule b { condition: nothing }'))).toMatchObject({ kind: 'refused' });
  expect(await lane.ask(scan)).toMatchObject({ kind: 'defect' });
});
