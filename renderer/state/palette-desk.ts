import type { Command, CommandsBySection } from './command.ts';
import type { ViewButton } from './view-buttons.ts';

/** What is added: of the view that is shown, or of everywhere. */
export type AddedCommands = Pick<CommandsBySection, 'actions' | 'more'>;

/**
 * Whether the palette is open, which buttons there were in the view then, and what views added to it. Who only opens it
 * or adds to it is not drawn again with it.
 */
export class PaletteDesk {
  readonly #listeners = new Set<() => void>();
  readonly #given = new Set<AddedCommands>();
  readonly #readButtons: () => readonly ViewButton[];
  #isOpen = false;
  #buttons: readonly ViewButton[] = [];
  #added: Required<AddedCommands> = { actions: [], more: [] };

  constructor(readButtons: () => readonly ViewButton[]) {
    this.#readButtons = readButtons;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly isOpen = (): boolean => this.#isOpen;
  readonly added = (): Required<AddedCommands> => this.#added;

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
  add(commands: AddedCommands): () => void {
    this.#given.add(commands);
    this.#gather();
    return () => {
      this.#given.delete(commands);
      this.#gather();
    };
  }

  #gather(): void {
    const of = (section: keyof AddedCommands): Command[] => [...this.#given].flatMap((given) => given[section] ?? []);
    this.#added = { actions: of('actions'), more: of('more') };
    this.#tell();
  }

  #tell(): void {
    for (const listener of this.#listeners) listener();
  }
}
