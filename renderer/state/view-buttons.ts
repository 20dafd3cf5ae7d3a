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

/** The part of the page that the rooms are shown in. */
export const shownView = (): HTMLElement => document.querySelector('main') ?? document.body;

/**
 * The buttons of a view as they stand, first those that its letters press and the steps that move the work on. Of
 * others that share a name nobody could say which is meant.
 */
export function buttonsOf(view: Element): ViewButton[] {
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
function spokenName(button: HTMLButtonElement): string {
  const label = button.getAttribute('aria-label');
  if (label !== null) return label;
  const copy = button.cloneNode(true);
  if (!(copy instanceof Element)) return '';
  for (const hidden of copy.querySelectorAll('[aria-hidden="true"]')) hidden.remove();
  return copy.textContent.replace(/\s+/g, ' ').trim();
}

/** The button as it stands now, for the page may have drawn it anew; null when it cannot be pressed any more. */
export function buttonNow(view: Element, { name, element }: ViewButton): HTMLButtonElement | null {
  const now = buttonsOf(view);
  return (
    (now.find((button) => button.element === element) ?? now.find((button) => button.name === name))?.element ?? null
  );
}
