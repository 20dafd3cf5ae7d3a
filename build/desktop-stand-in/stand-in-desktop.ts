import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { type OperationInput, type OperationName, type OperationOutput, operations } from '../../shared/contract.ts';
import { readReply } from '../../shared/transport.ts';

const message = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('told'), what: z.string() }),
  z.object({ kind: z.literal('event'), event: z.unknown() }),
  z.object({ kind: z.literal('answer'), id: z.number(), value: z.unknown() }),
  z.object({ kind: z.literal('refused'), id: z.number(), reason: z.string() }),
]);
const loadedPart = z.object({ status: z.number(), body: z.base64(), headers: z.record(z.string(), z.string()) });
const outputs: { [N in OperationName]: { output: z.ZodType<OperationOutput<N>> } } = operations;

/** The desktop's own entry, run by Node with a stand-in for Electron. */
export class StandInDesktop {
  /** What a person would have seen: windows and boxes, in their order. */
  readonly reported: string[] = [];
  /** Its exit code; null: it was killed. */
  readonly exited: Promise<number | null>;
  readonly #program: ChildProcess;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #asked = 0;

  /** `entry`: the built `main.js`. */
  constructor(entry: string, dataDirectory: string) {
    this.#program = fork(entry, ['--data', dataDirectory], {
      execArgv: ['--import', fileURLToPath(new URL('run.ts', import.meta.url))],
    });
    this.exited = once(this.#program, 'exit').then(([code]) => (typeof code === 'number' ? code : null));
    this.#program.on('message', (said) => this.#heard(message.parse(said)));
  }

  /** As the page calls. Throws for a failure. */
  async call<N extends OperationName>(name: N, input: OperationInput<N>): Promise<OperationOutput<N>> {
    const result = readReply(
      outputs[name].output,
      name,
      await this.#ask({ kind: 'invoke', message: { kind: 'call', name, input } }),
    );
    if (!result.ok) throw new Error(`${name}: ${JSON.stringify(result.failure)}`);
    return result.value;
  }

  /** A part of the page, by its path. */
  async load(path: string): Promise<z.infer<typeof loadedPart>> {
    return loadedPart.parse(await this.#ask({ kind: 'load', path }));
  }

  /** Quits it as a person does. @returns its exit code; null: it was killed */
  quit(): Promise<number | null> {
    this.#program.send({ kind: 'quit' });
    return this.exited;
  }

  async kill(): Promise<void> {
    this.#program.kill('SIGKILL');
    await this.exited;
  }

  /** Rejects when it ends before. */
  #ask(question: object): Promise<unknown> {
    const id = (this.#asked += 1);
    const asked = Promise.withResolvers<unknown>();
    this.#waiting.set(id, asked);
    void this.exited.then((code) =>
      asked.reject(new Error(`the desktop ended with ${code}: ${this.reported.join('; ')}`)),
    );
    this.#program.send({ ...question, id });
    return asked.promise;
  }

  #heard(said: z.infer<typeof message>): void {
    if (said.kind === 'told') this.reported.push(said.what);
    if (said.kind === 'told' || said.kind === 'event') return;
    if (said.kind === 'answer') this.#waiting.get(said.id)?.resolve(said.value);
    else this.#waiting.get(said.id)?.reject(new Error(said.reason));
    this.#waiting.delete(said.id);
  }
}
