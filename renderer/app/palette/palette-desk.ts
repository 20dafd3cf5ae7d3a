import type { Command } from './commands.ts';
import type { ViewButton } from './view-buttons.ts';

/** Whether the palette is open, which buttons there were in the view then, and what views added to it. Who only opens it or adds to it is not drawn again with it. */
export class PaletteDesk {
  readonly #listeners = new Set<() => void>();
  readonly #given = new Set<readonly Command[]>();
  readonly #readButtons: () => readonly ViewButton[];
  #isOpen = false;
  #buttons: readonly ViewButton[] = [];
  #added: readonly Command[] = [];

  constructor(readButtons: () => readonly ViewButton[]) {
    this.#readButtons = readButtons;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly isOpen = (): boolean => this.#isOpen;
  readonly added = (): readonly Command[] => this.#added;

  readonly buttons = (): readonly ViewButton[] => this.#buttons;

  /** Open already, it reads the buttons again. */
  readonly open = (): void => {
    this.#isOpen = true;
    this.#buttons = this.#readButtons();
    this.#tell();
  };

  readonly close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#tell();
  };

  /** @returns takes them away again */
  add(commands: readonly Command[]): () => void {
    this.#given.add(commands);
    this.#gather();
    return () => {
      this.#given.delete(commands);
      this.#gather();
    };
  }

  #gather(): void {
    this.#added = [...this.#given].flat();
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
