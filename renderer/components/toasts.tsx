import { CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import {
  createContext,
  type FocusEvent,
  type ReactNode,
  type RefObject,
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Failure } from '../../shared/failure-kinds.ts';
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import typography from '../styles/typography.module.css';
import { Button, IconButton } from './button.tsx';
import { CopyDetails } from './failure-notice.tsx';
import { words } from './format.ts';
import { KeyCap } from './key-cap.tsx';
import styles from './toasts.module.css';

const shownForMs = 6000;
const icons = { ok: CircleCheck, bad: TriangleAlert, info: Info } as const;

const ToastContext = createContext<(message: ToastMessage) => void>(() => {});

/**
 * Shows what was done. A failure is shown where it happened; one shown here, because that place is gone, stays until it
 * is closed.
 */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const next = useRef(0);
  const show = useCallback((message: ToastMessage) => {
    next.current += 1;
    const id = next.current;
    setToasts((before) => withOneMore(before, { ...message, id, isHeld: false }));
  }, []);
  const close = useCallback((id: number) => setToasts((before) => before.filter((toast) => toast.id !== id)), []);
  const hold = useCallback(
    (id: number, isHeld: boolean) =>
      setToasts((before) => before.map((toast) => (toast.id === id ? { ...toast, isHeld } : toast))),
    [],
  );
  const region = useMemo(() => <ToastRegion toasts={toasts} onHold={hold} onClose={close} />, [toasts, hold, close]);
  return (
    <ToastContext value={show}>
      {children}
      {region}
    </ToastContext>
  );
}

/** The region is there before its first message: a live region that appears together with its text may stay unread. */
function ToastRegion({ toasts, ...acts }: { toasts: readonly ShownToast[] } & ToastActs) {
  const [wayBack] = useState(() => new WayBack());
  const region = useRef<HTMLElement>(null);
  useToastPlace(
    region,
    toasts,
    toasts.some(({ isHeld }) => isHeld),
  );
  return (
    <section
      ref={region}
      className={styles.region}
      aria-label={words.notifications}
      data-pane={toasts.length > 0 || undefined}
    >
      <div role="status" className={classNames(layout.stack8, styles.list)}>
        {toasts.map((toast) => (
          <Toast key={toast.id} toast={toast} wayBack={wayBack} {...acts} />
        ))}
      </div>
    </section>
  );
}

interface ToastActs {
  onHold(id: number, isHeld: boolean): void;
  onClose(id: number): void;
}

interface ToastProps extends ToastActs {
  toast: ShownToast;
  /** Of all toasts. */
  wayBack: WayBack;
}

function Toast({ toast, wayBack, onHold, onClose }: ToastProps) {
  const stays = staysOpen(toast);
  const shown = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const within = shown.current;
    return () => {
      if (within?.contains(document.activeElement) === true) wayBack.take();
    };
  }, [wayBack]);
  useEffect(() => {
    if (stays) return undefined;
    const timer = setTimeout(() => onClose(toast.id), shownForMs);
    return () => clearTimeout(timer);
  }, [stays, onClose, toast.id]);
  const closing = (act: () => void) => (): void => {
    onClose(toast.id);
    act();
  };
  const Icon = icons[toast.meaning];
  const [hold, letGo] = [() => onHold(toast.id, true), () => onHold(toast.id, false)];
  const onFocus = (event: FocusEvent): void => {
    wayBack.note(event, '[data-toast]');
    hold();
  };
  const held = { onMouseEnter: hold, onMouseLeave: letGo, onFocus, onBlur: letGo };
  return (
    <div ref={shown} className={classNames(layout.wrapRow, surface.popover, styles.toast)} data-toast {...held}>
      <Icon className={classNames(styles[toast.meaning])} size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={classNames(typography.breaks, styles.text)}>
        <bdi>{toast.text}</bdi>
      </span>
      {toast.failure !== undefined && <CopyDetails failure={toast.failure} />}
      {toast.undo !== undefined && (
        <Button size="small" data-undo onPress={closing(toast.undo)}>
          {words.undo}
          <KeyCap>Ctrl Z</KeyCap>
        </Button>
      )}
      {toast.action !== undefined && (
        <Button size="small" onPress={closing(toast.action.act)}>
          {toast.action.text}
        </Button>
      )}
      <IconButton label={words.close} onPress={() => onClose(toast.id)}>
        <X size={14} strokeWidth={1.6} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/** Presses the Undo that was offered last. False when none is. */
export function undoLatest(): boolean {
  const button = [...document.querySelectorAll<HTMLElement>('[data-undo]')].at(-1);
  button?.click();
  return button !== undefined;
}

export interface ToastMessage {
  meaning: 'ok' | 'bad' | 'info';
  text: string;
  /** What it is about, where something failed: its details can be copied. */
  failure?: Failure;
  /** Takes back what was done, by its button or by Ctrl Z. It closes the toast. */
  undo?(): void;
  /** Another thing to do about it. It closes the toast, too. */
  action?: { text: string; act(): void };
  /** Until it is closed: what its action leads to is nowhere else. */
  stays?: true;
}

export interface ShownToast extends ToastMessage {
  id: number;
  /** The pointer is over it, or the focus is in it. */
  isHeld: boolean;
}

const atMost = 2;

/** A failure shown here has no other place: it must not be lost to a person who is not watching. */
const staysOpen = ({ meaning, isHeld, stays }: ShownToast): boolean => isHeld || meaning === 'bad' || stays === true;

/** Its way back is there for its whole time, whatever is done meanwhile. */
const canGo = (toast: ShownToast): boolean => !staysOpen(toast) && toast.undo === undefined;

/**
 * Two at most, unless more of them stay or can be undone: of the others the oldest is removed. A repeated failure is
 * shown once.
 */
export function withOneMore(shown: readonly ShownToast[], next: ShownToast): readonly ShownToast[] {
  const others =
    next.meaning === 'bad' ? shown.filter(({ meaning, text }) => meaning !== 'bad' || text !== next.text) : shown;
  const tooMany = Math.max(0, others.length + 1 - atMost);
  const gone = others.filter(canGo).slice(0, tooMany);
  return [...others.filter((toast) => !gone.includes(toast)), next];
}

/** From what floats above the page back to where the focus was before it came there. */
class WayBack {
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

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** What a person may need, and how badly it is missed below a notification. */
export interface Needed extends Box {
  weight: number;
}

/** What has the focus counts more than all the rest together, and a field more than every button. */
const weights = { focused: 1_000_000, field: 1000, action: 100, button: 10 };
const fields = 'input, textarea, select, [role=textbox], [role=combobox]';
/** The buttons of a bar show their letter; the step that comes next is drawn as the primary one. */
const actions = '[data-letter], [data-look=primary]';
const gap = 12;
/** CSS pixels of a view that notifications leave free: its head, and at least so much of its foot. */
const headHeight = 44;
const footHeight = 36;

/**
 * The left upper corner for notifications of this size: at the end of the view's last line, unless that covers what is
 * needed and one of the other corners covers less of it. `free`: the space of the view, without its head and its foot.
 */
export function placeOf(
  { width, height }: { width: number; height: number },
  free: Box,
  needed: readonly Needed[],
): { left: number; top: number } {
  const [right, middle, left] = [free.right - gap - width, (free.left + free.right - width) / 2, free.left + gap];
  const [bottom, top] = [free.bottom - gap - height, free.top + gap];
  const places = [bottom, top].flatMap((y) => [right, middle, left].map((x) => ({ left: x, top: Math.max(0, y) })));
  const costs = places.map((place) => {
    const box = { ...place, right: place.left + width, bottom: place.top + height };
    if (place.top === top && box.bottom > free.bottom) return Number.POSITIVE_INFINITY;
    return needed.filter((one) => isOver(box, one)).reduce((sum, { weight }) => sum + weight, 0);
  });
  return places[costs.indexOf(Math.min(...costs))] ?? { left: right, top: bottom };
}

const isOver = (one: Box, other: Box): boolean =>
  one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;

/** While a dialog is open, what is in it; else all that the page has, without what floats itself. */
function neededOn(page: Document, floating: Element): Needed[] {
  const within = page.querySelector('[role=dialog], [role=alertdialog]') ?? page;
  return [...within.querySelectorAll<HTMLElement>(`button:not(:disabled), ${fields}`)]
    .filter((element) => !floating.contains(element) && element.checkVisibility({ visibilityProperty: true }))
    .map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect();
      return { left, top, right, bottom, weight: weightOf(element, page.activeElement) };
    });
}

function weightOf(element: HTMLElement, focused: Element | null): number {
  if (element === focused) return weights.focused;
  if (element.matches(fields)) return weights.field;
  return element.matches(actions) ? weights.action : weights.button;
}

/**
 * Keeps what floats above the page off the fields and the buttons that are needed: where it comes up, and when the
 * focus goes to what it would be over. `isHeld`: it stays where it is, for the pointer or the focus is on it.
 */
export function useToastPlace(region: RefObject<HTMLElement | null>, shown: readonly unknown[], isHeld: boolean): void {
  useLayoutEffect(() => {
    const floating = region.current;
    const main = document.querySelector('main');
    if (floating === null || main === null || shown.length === 0 || isHeld) return undefined;
    const put = (): void => {
      const { left, right, top, bottom } = main.getBoundingClientRect();
      const foots = [...main.querySelectorAll('footer')].map((foot) => foot.getBoundingClientRect());
      const foot = Math.min(
        bottom - footHeight,
        ...foots.filter((one) => one.bottom >= bottom - 1).map((one) => one.top),
      );
      const list = floating.getBoundingClientRect();
      if (list.width === 0) return;
      const free = { left, right, top: top + headHeight, bottom: foot };
      const place = placeOf(list, free, neededOn(document, floating));
      floating.style.setProperty('inset', `${place.top}px auto auto ${place.left}px`);
    };
    // What takes the focus may still be on its way to its place.
    const putSoon = (): void => void requestAnimationFrame(put);
    put();
    document.addEventListener('focusin', putSoon);
    window.addEventListener('resize', put);
    return () => {
      document.removeEventListener('focusin', putSoon);
      window.removeEventListener('resize', put);
    };
  }, [region, shown, isHeld]);
}
