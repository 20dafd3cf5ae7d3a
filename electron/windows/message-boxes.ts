import type { MessageBoxOptions, MessageBoxReturnValue } from 'electron';
import type { Failure } from '../../shared/failure.ts';
import { type BackgroundWork, closeQuestion, quitQuestion } from './background-work.ts';
import type { PageAnswer, PageQuestion } from './dead-page.ts';
import { notMovedWords } from './not-moved-words.ts';
import type { ShownWindow, SoleWindow } from './sole-window.ts';

export interface MessageBoxPorts<W extends ShownWindow> {
  sole: Pick<SoleWindow<W>, 'current' | 'show'>;
  /** Over a window; null: over none. */
  show(options: MessageBoxOptions, over: W | null): Promise<Pick<MessageBoxReturnValue, 'response'>>;
}

type CloseAnswer = ReturnType<typeof closeQuestion>['answers'][number];

/** Every question and message in a box of the system, and the answer that each button stands for. */
export class MessageBoxes<W extends ShownWindow & { isVisible(): boolean }> {
  readonly #ports: MessageBoxPorts<W>;

  constructor(ports: MessageBoxPorts<W>) {
    this.#ports = ports;
  }

  async tellNotMoved(failure: Failure, directory: string): Promise<void> {
    await this.#overSole({ type: 'warning', ...notMovedWords(failure, directory) });
  }

  /** @returns whether to quit */
  async askBeforeQuitting(work: BackgroundWork): Promise<boolean> {
    // A box over a hidden window would be invisible. On macOS there may be no window.
    if (this.#ports.sole.current !== null) this.#ports.sole.show();
    return (await this.#overSole({ type: 'question', ...quitQuestion(work) })) === 1;
  }

  async askBeforeClosing(window: W, work: BackgroundWork, canShowTray: boolean): Promise<CloseAnswer> {
    const { answers, ...words } = closeQuestion(work, canShowTray);
    const { response } = await this.#ports.show({ type: 'question', ...words }, window);
    return answers[response] ?? 'cancel';
  }

  async askAboutPage(window: W, { answers, ...words }: PageQuestion, signal: AbortSignal): Promise<PageAnswer> {
    // The page may have died before the window was shown.
    if (!window.isVisible()) window.show();
    const { response } = await this.#ports.show({ type: 'warning', ...words, signal }, window);
    return answers[response] ?? 'wait';
  }

  /** @returns whether to open the address */
  async confirmLink(address: string): Promise<boolean> {
    const answer = await this.#overSole({
      type: 'question',
      message: 'Open this address in your browser?',
      detail: address,
      buttons: ['Cancel', 'Open'],
      defaultId: 0,
      cancelId: 0,
    });
    return answer === 1;
  }

  async #overSole(options: MessageBoxOptions): Promise<number> {
    return (await this.#ports.show(options, this.#ports.sole.current)).response;
  }
}
