import type { LucideIcon } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import type { Failure } from '../../shared/failure-kinds.ts';
import { RecentCommands } from '../memory/recents.ts';
import type { ViewName } from './navigation.tsx';

interface Palette {
  store: PaletteStore;
  recent: RecentCommands;
}

const PaletteContext = createContext<Palette | null>(null);

export function PaletteProvider({ children }: { children: ReactNode }) {
  const [palette] = useState((): Palette => ({
    store: new PaletteStore(() => buttonsOf(shownView())),
    recent: new RecentCommands(),
  }));
  useEffect(() => void palette.recent.load(), [palette]);
  return <PaletteContext value={palette}>{children}</PaletteContext>;
}

export function usePaletteContext(): Palette {
  const palette = useContext(PaletteContext);
  if (palette === null) throw new TypeError('the palette outside of PaletteProvider');
  return palette;
}

/** Puts what has no button into the palette, while the component is shown; the same object from drawing to drawing. */
export function useCommands(commands: AddedCommands): void {
  const { store } = usePaletteContext();
  useEffect(() => store.add(commands), [store, commands]);
}

/** What can be pressed in the view that is shown, and the key that does the same. */
export interface ViewButton {
  name: string;
  /** Other words it is found by. */
  keywords: string | null;
  letter: string | null;
  /** As it shows it: the letter, or another key. */
  keys: string | null;
  element: HTMLButtonElement;
}

/**
 * Those in a row of a table mean that row, those in a sentence are of that sentence, and what opens the palette does
 * nothing in it.
 */
const pressable =
  ':not(:disabled, [aria-disabled="true"], [data-pending], [data-look="inline"], [data-opens-palette], [role="row"] *)';
const buttons = `button:is([data-letter], [data-look])${pressable}`;

/** The part of the page that the views are shown in. */
export const shownView = (): HTMLElement => document.querySelector('main') ?? document.body;

/**
 * The current buttons of a view, first those that its letters press and the steps that move the work on. Others that
 * share a name are left out as ambiguous.
 */
function buttonsOf(view: Element): ViewButton[] {
  const byName = new Map<string, ViewButton[]>();
  for (const element of view.querySelectorAll<HTMLButtonElement>(buttons)) {
    const button = read(element);
    byName.set(button.name, [...(byName.get(button.name) ?? []), button]);
  }
  byName.delete('');
  const first = [...byName.values()].flatMap((alike) => alike.find(leads) ?? []);
  const others = [...byName.values()]
    .flatMap((alike) => (alike.length === 1 ? alike : []))
    .filter((button) => !leads(button));
  return [...first, ...others];
}

function read(element: HTMLButtonElement): ViewButton {
  const { letter = null, keywords = null } = element.dataset;
  return {
    name: spokenName(element),
    keywords,
    letter,
    keys: letter ?? element.querySelector('kbd')?.textContent ?? null,
    element,
  };
}

const leads = ({ letter, element }: ViewButton): boolean => letter !== null || element.dataset['look'] === 'primary';

/** As a screen reader names it: without what is hidden from there, such as the letter drawn in it. */
export function spokenName(button: HTMLButtonElement): string {
  const label = button.getAttribute('aria-label');
  if (label !== null) return label;
  const copy = button.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

/** The current button, for the page may have drawn it again; null when it can no longer be pressed. */
export function buttonNow(view: Element, { name, element }: ViewButton): HTMLButtonElement | null {
  const now = buttonsOf(view);
  return (
    (now.find((button) => button.element === element) ?? now.find((button) => button.name === name))?.element ?? null
  );
}

/** What is added: of the view that is shown, or of everywhere. */
type AddedCommands = Pick<CommandsBySection, 'actions' | 'more'>;

/**
 * Whether the palette is open, which buttons there were in the view then, and what views added to it. Who only opens it
 * or adds to it is not drawn again with it.
 */
class PaletteStore {
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
    this.#report();
  };

  readonly close = (): void => {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#report();
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
    this.#report();
  }

  #report(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** In this order, until the typed text ranks them. */
export const commandSections = [
  'lookUp',
  'actions',
  'go',
  'views',
  'lookups',
  'workspaces',
  'jobs',
  'appearance',
  'more',
  'search',
] as const;
export type CommandSection = (typeof commandSections)[number];

/** Something that can be done, as the palette shows it. Texts of a person or a service are made visible first. */
export interface Command {
  /** Known by this when it is asked for again. */
  id: string;
  title: string;
  /** There because of what was typed: not offered again by itself. */
  isOfText?: boolean;
  /** Other words it is found by. */
  keywords?: string;
  /** In place of the icon of its kind. */
  Icon?: LucideIcon;
  /** Behind the title: what distinguishes it from others with the same title. */
  detail?: string;
  /** The same in figures: the beginning of a hash. */
  code?: string;
  /** At the end of the line: its key, as it is shown. */
  keys?: string;
  /** The view it leads to, which then has the focus; without one the focus goes back to where it was. */
  leadsTo?: ViewName;
  run(): void;
}

export type CommandsBySection = Readonly<Partial<Record<CommandSection, readonly Command[]>>>;

/** What a search of the host came to. */
export interface FoundCommands {
  section: 'samples' | 'rules' | 'tags';
  commands: readonly Command[];
  failure: Failure | null;
  /** It found something, nothing, or failed. */
  isOver: boolean;
}
