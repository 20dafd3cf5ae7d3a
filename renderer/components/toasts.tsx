import { CircleCheck, Info, TriangleAlert, X } from 'lucide-react';
import { createContext, type FocusEvent, type ReactNode, useCallback, useContext, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Failure } from '../../shared/failure.ts';
import { classNames } from '../styles/class-names.ts';
import { Button, IconButton } from './button.tsx';
import { CopyDetails } from './copy-details.tsx';
import styles from './toasts.module.css';
import { WayBack } from './way-back.ts';
import { words } from './words.ts';

export interface ToastMessage {
  meaning: 'ok' | 'bad' | 'info';
  text: string;
  /** What it is about, where something failed: its details can be copied. */
  failure?: Failure;
  /** One thing to do about it, such as Undo. It closes the toast. */
  action?: { text: string; act(): void };
}
type ShownToast = ToastMessage & { id: number };

const shownForMs = 6000;
const atMost = 2;
const icons = { ok: CircleCheck, bad: TriangleAlert, info: Info } as const;

const ToastContext = createContext<(message: ToastMessage) => void>(() => {});

/** Says what was done. A failure is shown where it happened; told here, because that place is gone, it stays until it is closed. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext);
}

export function ToastProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly ShownToast[]>([]);
  const next = useRef(0);
  const show = useCallback((message: ToastMessage) => {
    next.current += 1;
    const id = next.current;
    setToasts((before) => [...before, { ...message, id }].slice(-atMost));
  }, []);
  const close = useCallback((id: number) => setToasts((before) => before.filter((toast) => toast.id !== id)), []);
  const region = useMemo(() => <ToastRegion toasts={toasts} onClose={close} />, [toasts, close]);
  return (
    <ToastContext value={show}>
      {children}
      {region}
    </ToastContext>
  );
}

/** The region is there before its first message: a live region that appears together with its text may stay unread. */
function ToastRegion({ toasts, onClose }: { toasts: readonly ShownToast[]; onClose(id: number): void }) {
  const [wayBack] = useState(() => new WayBack());
  return (
    <section className={styles.region} aria-label={words.notifications}>
      <div role="status" className={styles.list}>
        {toasts.map((toast) => <Toast key={toast.id} toast={toast} wayBack={wayBack} onClose={onClose} />)}
      </div>
    </section>
  );
}

interface ToastProps {
  toast: ShownToast;
  /** Of all toasts. */
  wayBack: WayBack;
  onClose(id: number): void;
}

/** Stays while the pointer is over it or the focus is in it, and when it tells of a failure: that is not lost to who looked away. */
function Toast({ toast, wayBack, onClose }: ToastProps) {
  const [held, setHeld] = useState(false);
  const shown = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const within = shown.current;
    return () => {
      if (within?.contains(document.activeElement) === true) wayBack.take();
    };
  }, [wayBack]);
  useEffect(() => {
    if (held || toast.meaning === 'bad') return undefined;
    const timer = setTimeout(() => onClose(toast.id), shownForMs);
    return () => clearTimeout(timer);
  }, [held, onClose, toast.id, toast.meaning]);
  const Icon = icons[toast.meaning];
  const onFocus = (event: FocusEvent): void => {
    wayBack.note(event, '[data-toast]');
    setHeld(true);
  };
  const hold = { onMouseEnter: () => setHeld(true), onMouseLeave: () => setHeld(false), onFocus, onBlur: () => setHeld(false) };
  return (
    <div ref={shown} className={styles.toast} data-toast {...hold}>
      <Icon className={classNames(styles[toast.meaning])} size={16} strokeWidth={1.6} aria-hidden="true" />
      <span className={styles.text}><bdi>{toast.text}</bdi></span>
      {toast.failure !== undefined && <CopyDetails failure={toast.failure} />}
      {toast.action !== undefined && <ToastAction action={toast.action} onClose={() => onClose(toast.id)} />}
      <IconButton label={words.close} onPress={() => onClose(toast.id)}><X size={14} strokeWidth={1.6} aria-hidden="true" /></IconButton>
    </div>
  );
}

function ToastAction({ action: { text, act }, onClose }: { action: NonNullable<ToastMessage['action']>; onClose(): void }) {
  const press = (): void => {
    onClose();
    act();
  };
  return <Button size="small" onPress={press}>{text}</Button>;
}
