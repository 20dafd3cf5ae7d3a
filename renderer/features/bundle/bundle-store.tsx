import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from 'react';
import type { OperationOutput } from '../../../shared/contract.ts';
import type { BundleOpening } from '../../../shared/domain/bundle.ts';
import { useEvent, useOperation } from '../../bridge/operations.ts';
import { CopyIcon } from '../../components/copy-button.tsx';
import { nameInSentence } from '../../components/format.ts';
import { useToast } from '../../components/toasts.tsx';
import { classNames } from '../../styles/class-names.ts';
import layout from '../../styles/layout.module.css';
import styles from './bundle.module.css';
import { text } from './strings.ts';

/** An open bundle: its file, until it is read, and the host's reports of the reading. It outlives its dialog. */
interface BundleStore {
  /** null: none is open. */
  opening: BundleOpening | null;
  /** The host answered that it began: a state that it reported for this one meanwhile is newer. */
  noteBegun(opening: BundleOpening): void;
  /** The host answered that it is closed: another one that it reported meanwhile stays. */
  noteClosed(id: BundleOpening['id']): void;
  /** Chosen or dropped last. */
  file: BundleFile | null;
  /** Chosen or dropped: it goes before what is open. */
  take(file: File): void;
  noteFile(file: BundleFile | null): void;
  isShown: boolean;
  show(): void;
  hide(): void;
}

export interface BundleFile {
  file: File;
  /** The host's id for it; null until it was passed to the host. */
  stagedId: string | null;
  /** As what it was opened. */
  openingId: string | null;
}

const BundleStoreContext = createContext<BundleStore | null>(null);

export function useBundleStore(): BundleStore {
  const store = useContext(BundleStoreContext);
  if (store === null) throw new TypeError('useBundleStore outside of BundleStoreProvider');
  return store;
}

export function BundleStoreProvider({ children }: { children: ReactNode }) {
  const [isShown, setShown] = useState(false);
  const [file, noteFile] = useState<BundleFile | null>(null);
  const toast = useToast();
  const show = useCallback(() => setShown(true), []);
  const hide = useCallback(() => setShown(false), []);
  const { opening, noteBegun, noteClosed } = useOpening(isShown, show);
  const isBusy = opening?.state === 'importing';
  const take = useCallback(
    (next: File) => {
      if (isBusy) toast({ meaning: 'info', text: text.busy });
      else noteFile({ file: next, stagedId: null, openingId: null });
      setShown(true);
    },
    [isBusy, toast],
  );
  const store = useMemo(
    (): BundleStore => ({ opening, noteBegun, noteClosed, file, noteFile, take, isShown, show, hide }),
    [opening, noteBegun, noteClosed, file, take, isShown, show, hide],
  );
  return <BundleStoreContext value={store}>{children}</BundleStoreContext>;
}

/** The host's reports of it. A reading that ends while its dialog is hidden would otherwise end silently. */
function useOpening(isShown: boolean, show: () => void): Pick<BundleStore, 'opening' | 'noteBegun' | 'noteClosed'> {
  const client = useQueryClient();
  const toast = useToast();
  const { data } = useOperation('bundles.opening', {});
  const state = useRef<BundleOpening['state'] | null>(null);
  const note = useCallback(
    (opening: BundleOpening | null) => {
      state.current = opening?.state ?? null;
      void client.cancelQueries({ queryKey: ['bundles.opening'] });
      client.setQueryData(['bundles.opening', {}], { opening });
    },
    [client],
  );
  useEvent('bundles.changed', ({ opening }) => {
    const wasRead = state.current === 'reading';
    note(opening);
    if (isShown || opening === null || !wasRead || (opening.state !== 'ready' && opening.state !== 'refused')) return;
    const name = nameInSentence(opening.name);
    toast({
      ...(opening.state === 'ready'
        ? { meaning: 'ok', text: text.readNews(name) }
        : { meaning: 'bad', text: text.refusedNews(name) }),
      action: { text: text.show, act: show },
    });
  });
  const known = useCallback(
    () => client.getQueryData<OperationOutput<'bundles.opening'>>(['bundles.opening', {}])?.opening?.id,
    [client],
  );
  return {
    opening: data?.opening ?? null,
    noteBegun: useCallback((opening) => known() !== opening.id && note(opening), [known, note]),
    noteClosed: useCallback((id) => known() === id && note(null), [known, note]),
  };
}

/** A whole fingerprint, in groups that can be read over a phone. */
export function Fingerprint({ value }: { value: string }) {
  const groups = value.match(/.{1,8}/g) ?? [];
  return (
    <span className={classNames(layout.flex8, styles.fingerprint)}>
      <code>
        {groups.map((group, at) => (
          <span key={at}>{group} </span>
        ))}
      </code>
      <CopyIcon text={value} label={text.copyFingerprint} />
    </span>
  );
}
