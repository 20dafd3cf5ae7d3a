import type { SystemThread } from './processor-use.ts';
import type { ScanWorker, ToScanWorker, WorkerOrder } from './worker-messages.ts';
import type { FromScanWorker } from './worker-reply.ts';

/** A scan worker without an engine: a test scripts its replies. */
export class ScriptedWorker implements ScanWorker {
  /** What it was given and has not answered. */
  readonly given: WorkerOrder<string>[][] = [];
  /** Of the rules. */
  source = '';
  isKilled = false;
  /** In which thread it reports to scan. */
  thread: SystemThread | null = null;
  #report: (message: unknown) => void = () => undefined;
  #exit: (how: string) => void = () => undefined;
  readonly #heard: (worker: ScriptedWorker) => void;
  readonly #compiles: boolean;

  /** `heard` is called when there are orders. */
  constructor(heard: (worker: ScriptedWorker) => void = () => undefined, compiles = true) {
    this.#heard = heard;
    this.#compiles = compiles;
  }

  post(message: ToScanWorker<string>): void {
    if (message.kind === 'source') this.source += message.text;
    if (message.kind === 'compile')
      queueMicrotask(() => (this.#compiles ? this.print({ kind: 'compiled', thread: this.thread }) : this.die()));
    if (message.kind !== 'scan') return;
    this.given.push(message.orders);
    queueMicrotask(() => this.#heard(this));
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#report = listener;
  }

  onExit(listener: (how: string) => void): void {
    this.#exit = listener;
  }

  async kill(): Promise<void> {
    this.isKilled = true;
  }

  print(message: FromScanWorker): void {
    this.#report(message);
  }

  babble(message: unknown): void {
    this.#report(message);
  }

  die(): void {
    this.#exit('exit code 9: no library');
  }

  /** Answers all its orders with no hits. */
  answerAll(): void {
    for (const orders of this.given.splice(0)) this.print({ kind: 'results', results: orders.map(() => 1000) });
  }
}
