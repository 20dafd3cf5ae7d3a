import type { ChangeEvent, RefObject } from 'react';
import type { DroppedEntry } from './dropped-entry.ts';

export interface FilePickerProps {
  /** To be clicked when files are wanted. */
  ref: RefObject<HTMLInputElement | null>;
  of: 'files' | 'folder';
  onPick(files: readonly DroppedEntry[]): void;
}

/** The browser's picker, which only a file input opens. Nobody sees or reaches the input itself. */
export function FilePicker({ ref, of, onPick }: FilePickerProps) {
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    onPick([...(currentTarget.files ?? [])]);
    // The same file can be picked again.
    currentTarget.value = '';
  };
  return <input ref={ref} type="file" multiple hidden data-picker={of} onChange={take} {...(of === 'folder' ? { webkitdirectory: '' } : {})} />;
}
