import type { LaneOrder, ToLane } from './lane-messages.ts';
import type { FromLane } from './lane-reply.ts';
import type { SystemThread } from './processor-use.ts';
import type { ScanLane } from './scan-lane.ts';

/** A lane without an engine: a test says what it says. */
export class ScriptedLane implements ScanLane {
  /** What it was given and has not answered. */
  readonly given: LaneOrder<string>[][] = [];
  /** Of the rules. */
  source = '';
  isKilled = false;
  /** In which it says it scans. */
  thread: SystemThread | null = null;
  #tell: (message: unknown) => void = () => undefined;
  #exit: (how: string) => void = () => undefined;
  readonly #heard: (lane: ScriptedLane) => void;
  readonly #compiles: boolean;

  /** `heard` is called when there are orders. */
  constructor(heard: (lane: ScriptedLane) => void = () => undefined, compiles = true) {
    this.#heard = heard;
    this.#compiles = compiles;
  }

  post(message: ToLane<string>): void {
    if (message.kind === 'source') this.source += message.text;
    if (message.kind === 'compile')
      queueMicrotask(() => (this.#compiles ? this.say({ kind: 'compiled', thread: this.thread }) : this.die()));
    if (message.kind !== 'scan') return;
    this.given.push(message.orders);
    queueMicrotask(() => this.#heard(this));
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#tell = listener;
  }

  onExit(listener: (how: string) => void): void {
    this.#exit = listener;
  }

  async kill(): Promise<void> {
    this.isKilled = true;
  }

  say(message: FromLane): void {
    this.#tell(message);
  }

  babble(message: unknown): void {
    this.#tell(message);
  }

  die(): void {
    this.#exit('exit code 9: no library');
  }

  /** Everything that it was given was clean. */
  answerAll(): void {
    for (const orders of this.given.splice(0)) this.say({ kind: 'results', results: orders.map(() => 1000) });
  }
}
