import type { MessageBoxOptions, MessageBoxReturnValue } from 'electron';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import type { Failure } from '../../shared/failure.ts';
import { type BackgroundWork, closeQuestion, quitQuestion } from './background-work.ts';
import type { ShownWindow, SoleWindow } from './main-window.ts';
import type { PageAnswer, PageQuestion } from './unresponsive-page.ts';

interface MessageBoxPorts<W extends ShownWindow> {
  sole: Pick<SoleWindow<W>, 'current' | 'show'>;
  /** Over a window; null: over none. */
  show(options: MessageBoxOptions, over: W | null): Promise<Pick<MessageBoxReturnValue, 'response'>>;
}

type CloseAnswer = ReturnType<typeof closeQuestion>['answers'][number];

/** Every question and message in a box of the system, and the answer that each button gives. */
export class MessageBoxes<W extends ShownWindow & { isVisible(): boolean }> {
  readonly #ports: MessageBoxPorts<W>;

  constructor(ports: MessageBoxPorts<W>) {
    this.#ports = ports;
  }

  async reportNotMoved(failure: Failure, directory: string): Promise<void> {
    await this.#overSole({ type: 'warning', ...notMovedMessage(failure, directory) });
  }

  /** @returns whether to quit */
  async confirmQuit(work: BackgroundWork): Promise<boolean> {
    // A box over a hidden window would be invisible. On macOS there may be no window.
    if (this.#ports.sole.current !== null) this.#ports.sole.show();
    return (await this.#overSole({ type: 'question', ...quitQuestion(work) })) === 1;
  }

  async confirmClose(window: W, work: BackgroundWork, canShowTray: boolean): Promise<CloseAnswer> {
    const { answers, ...words } = closeQuestion(work, canShowTray);
    const { response } = await this.#ports.show({ type: 'question', ...words }, window);
    return answers[response] ?? 'cancel';
  }

  async choosePageAction(window: W, { answers, ...words }: PageQuestion, signal: AbortSignal): Promise<PageAnswer> {
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

/**
 * For a message box: the data was to be moved before it was opened, was not, and is open where it was. Same shape as
 * `quitQuestion`.
 */
export function notMovedMessage(
  failure: Failure,
  directory: string,
): { message: string; detail: string; buttons: string[] } {
  const { what, then } = sentenceFor(failure);
  const isSaid = failure.kind === 'move-refused';
  return {
    message: isSaid ? what : `The data was not moved: ${what.slice(0, 1).toLowerCase()}${what.slice(1)}`,
    detail: `${then}\n\nNothing was changed. Vitrine uses the data in ${directory}.`,
    buttons: ['Continue'],
  };
}
