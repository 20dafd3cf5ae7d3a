/** What this needs of Electron's `BrowserWindow`. */
export interface ShownWindow {
  isMinimized(): boolean;
  isFocused(): boolean;
  restore(): void;
  show(): void;
  focus(): void;
  once(event: 'closed', listener: () => void): unknown;
}

/** The one window. On macOS a program goes on without it: what has something to show opens it again. */
export class SoleWindow<W extends ShownWindow> {
  #window: W | null = null;
  #make: (() => W) | null = null;

  /** Null while there is none. */
  get current(): W | null {
    return this.#window;
  }

  get isFocused(): boolean {
    return this.#window?.isFocused() ?? false;
  }

  /** The program has come up: opens the window, now and whenever it is wanted again. */
  begin(make: () => W): void {
    this.#make = make;
    this.#open(make);
  }

  /** The program is going: there is no other window any more. */
  end(): void {
    this.#make = null;
  }

  /** Brings it before the person's eyes. Before the program has come up there is nothing to bring. */
  show(): void {
    const window = this.#window;
    if (window === null) {
      if (this.#make !== null) this.#open(this.#make);
      return;
    }
    if (window.isMinimized()) window.restore();
    window.show();
    window.focus();
  }

  #open(make: () => W): void {
    const window = make();
    this.#window = window;
    window.once('closed', () => {
      this.#window = null;
    });
  }
}
