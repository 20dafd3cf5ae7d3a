import { CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import {
  createContext,
  type FocusEvent,
  type ReactNode,
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
  return (
    <section className={styles.region} aria-label={words.notifications} data-pane={toasts.length > 0 || undefined}>
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
