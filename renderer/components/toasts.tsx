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
import { classNames } from '../styles/class-names.ts';
import layout from '../styles/layout.module.css';
import surface from '../styles/surface.module.css';
import typography from '../styles/typography.module.css';
import { Button, IconButton } from './button.tsx';
import { CopyDetails } from './copy-details.tsx';
import { KeyCap } from './key-cap.tsx';
import { type ShownToast, staysOpen, type ToastMessage, withOneMore } from './toast-list.ts';
import styles from './toasts.module.css';
import { WayBack } from './way-back.ts';
import { words } from './words.ts';

const shownForMs = 6000;
const icons = { ok: CircleCheck, bad: TriangleAlert, info: Info } as const;

const ToastContext = createContext<(message: ToastMessage) => void>(() => {});

/**
 * Says what was done. A failure is shown where it happened; told here, because that place is gone, it stays until it is
 * closed.
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
