import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ByteSource } from '../../../shared/domain/byte-view.ts';
import { emptyForm, type FindForm, readPattern } from './find-pattern.ts';
import type { BytePlace } from './use-byte-place.ts';
import { useByteSearch, type SearchState } from './use-byte-search.ts';

export interface Finding {
  isOpen: boolean;
  field: RefObject<HTMLInputElement | null>;
  form: FindForm;
  state: SearchState;
  open(): void;
  close(): void;
  setForm(form: FindForm): void;
  /** From the cursor on; over the end of the file when there was none up to there. */
  find(backwards: boolean): void;
  stop(): boolean;
}

/** The search bar of a view. What was found is selected, and shown by `show`. */
export function useFinding(
  source: ByteSource,
  sizeBytes: number,
  { place, show }: { place: BytePlace; show(offset: number): void },
): Finding {
  const field = useRef<HTMLInputElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [form, setForm] = useState(emptyForm);
  const search = useByteSearch(source, (offset, length) => {
    place.select(offset, length);
    show(offset);
  });
  useEffect(() => {
    if (isOpen) field.current?.focus();
  }, [isOpen]);
  const find = (backwards: boolean): void => {
    const read = readPattern(form);
    if (!isOpen) setOpen(true);
    if (read.kind === 'pattern')
      search.run({ pattern: read.pattern, backwards, from: beginAt(search.state, place, { backwards, sizeBytes }) });
  };
  return {
    isOpen,
    field,
    form,
    find,
    state: search.state,
    open: () => {
      setOpen(true);
      field.current?.select();
      field.current?.focus();
    },
    close: () => {
      search.forget();
      setOpen(false);
    },
    setForm: (changed) => {
      search.forget();
      setForm(changed);
    },
    stop: search.stop,
  };
}

function beginAt(
  state: SearchState,
  { cursor, selected }: BytePlace,
  { backwards, sizeBytes }: { backwards: boolean; sizeBytes: number },
): number {
  if (state.kind === 'none' && state.backwards === backwards) return backwards ? sizeBytes : 0;
  const start = selected?.start ?? cursor;
  const isThere = state.kind === 'found' && state.offset === start;
  return isThere && !backwards ? start + 1 : start;
}
