import type { FocusEvent } from 'react';

/** From what floats above the page back to where the focus was before it came there. */
export class WayBack {
  #from: HTMLElement | null = null;

  /** `within`: a selector of all that the focus may go around in meanwhile. */
  note({ relatedTarget }: FocusEvent, within: string): void {
    if (!(relatedTarget instanceof HTMLElement)) this.#from = null;
    else if (relatedTarget.closest(within) === null) this.#from = relatedTarget;
  }

  /** In a table it leads to the row that is current by now: what was done may have moved it. */
  take(): void {
    const target =
      this.#from?.closest('[role=grid]')?.querySelector<HTMLElement>('[data-index][tabindex="0"]') ?? this.#from;
    if (target?.isConnected === true) target.focus({ preventScroll: true });
  }
}
