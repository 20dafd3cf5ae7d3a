/** The page's process is gone, or it has not answered for half a minute. */
export type PageTrouble = 'gone' | 'stuck';
export type PageAnswer = 'wait' | 'reload' | 'quit';

/** What this needs of Electron's `webContents`. */
export interface WatchedPage {
  on(
    event: 'render-process-gone',
    listener: (event: unknown, details: { reason: string; exitCode: number }) => void,
  ): unknown;
  on(event: 'unresponsive' | 'responsive' | 'did-finish-load' | 'destroyed', listener: () => void): unknown;
  reload(): void;
  forcefullyCrashRenderer(): void;
}

export interface PageWatchPorts {
  /** `wait` when the signal takes the question back. */
  chooseAction(trouble: PageTrouble, signal: AbortSignal): Promise<PageAnswer>;
  /** The host is closed, and windows may go. */
  isEnding(): boolean;
  /** What happens is reported to the page that is loaded next. */
  connect(): void;
  /** Nothing is sent to the page: it could not receive it. */
  disconnect(): void;
  /** Without another question: this one already names the effect on the jobs. */
  quit(): void;
  onFailure(error: unknown): void;
}

/**
 * A window whose page died shows nothing and takes no key: a message box asks what to do. So it is of one
 * that hangs.
 */
export function watchPage(page: WatchedPage, ports: PageWatchPorts): void {
  const watch = new PageWatch(page, ports);
  page.on('render-process-gone', (_event, details) => watch.gone(details));
  page.on('unresponsive', () => watch.stuck());
  page.on('responsive', () => watch.answers());
  page.on('did-finish-load', () => watch.loaded());
  page.on('destroyed', () => watch.takeBack());
}

class PageWatch {
  readonly #page: WatchedPage;
  readonly #ports: PageWatchPorts;
  #question: { trouble: PageTrouble; stop: AbortController } | null = null;
  /** Its end is our doing, and may be reported when the next one is loading already. */
  #isKilled = false;

  constructor(page: WatchedPage, ports: PageWatchPorts) {
    this.#page = page;
    this.#ports = ports;
  }

  gone({ reason, exitCode }: { reason: string; exitCode: number }): void {
    const isOurDoing = this.#isKilled;
    this.#isKilled = false;
    if (isOurDoing || this.#ports.isEnding()) return;
    this.#ports.onFailure(new Error(`the process of the page is gone: ${reason}, exit code ${exitCode}`));
    this.#ports.disconnect();
    void this.#offerActions('gone');
  }

  stuck(): void {
    // Asked to close, it would not answer either.
    if (this.#ports.isEnding()) return this.#kill();
    if (this.#question !== null) return;
    this.#ports.onFailure(new Error('the page does not answer'));
    void this.#offerActions('stuck');
  }

  answers(): void {
    if (this.#question?.trouble === 'stuck') this.takeBack();
  }

  loaded(): void {
    this.#isKilled = false;
  }

  takeBack(): void {
    this.#question?.stop.abort();
    this.#question = null;
  }

  async #offerActions(trouble: PageTrouble): Promise<void> {
    this.takeBack();
    const stop = new AbortController();
    this.#question = { trouble, stop };
    try {
      const answer = await this.#ports.chooseAction(trouble, stop.signal);
      if (stop.signal.aborted) return;
      this.#question = null;
      this.#carryOut(trouble, answer);
    } catch (error) {
      this.takeBack();
      this.#ports.onFailure(error);
    }
  }

  #carryOut(trouble: PageTrouble, answer: PageAnswer): void {
    if (trouble === 'stuck') {
      if (answer === 'wait') return;
      this.#kill();
    }
    if (answer === 'quit') return this.#ports.quit();
    this.#ports.connect();
    this.#page.reload();
  }

  #kill(): void {
    this.#isKilled = true;
    this.#page.forcefullyCrashRenderer();
  }
}

export interface PageQuestion {
  message: string;
  detail: string;
  buttons: string[];
  /** What each button means. */
  answers: readonly PageAnswer[];
  defaultId: number;
  cancelId: number;
}

const buttonOf: Readonly<Record<PageAnswer, string>> = { wait: 'Wait', reload: 'Reload', quit: 'Quit' };

/** The words of the question, for a message box. Its first button, also the one for Escape, costs nothing. */
export function pageQuestion(trouble: PageTrouble, jobs: number): PageQuestion {
  const answers: readonly PageAnswer[] = trouble === 'gone' ? ['reload', 'quit'] : ['wait', 'reload', 'quit'];
  return {
    message: trouble === 'gone' ? 'The Vitrine window crashed' : 'The Vitrine window is not responding',
    detail: `Saved data is safe. ${runningWords(jobs)}See the log for details.`,
    buttons: answers.map((answer) => buttonOf[answer]),
    answers,
    defaultId: 0,
    cancelId: 0,
  };
}

function runningWords(jobs: number): string {
  if (jobs === 0) return '';
  return jobs === 1
    ? '1 job is still running; quitting stops it, and it can be resumed. '
    : `${jobs} jobs are still running; quitting stops them, and they can be resumed. `;
}
