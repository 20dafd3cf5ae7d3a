import type { ChangeEvent, RefObject } from 'react';
import type { DroppedEntry } from './dropped-entry.ts';

export interface FilePickerProps {
  /** To be clicked when files are wanted. */
  ref: RefObject<HTMLInputElement | null>;
  of: 'files' | 'folder';
  /** What the files are picked for. */
  into?: 'upload' | 'scan' | 'library';
  onPick(files: readonly DroppedEntry[]): void;
}

/** The browser's picker, which only a file input opens. Nobody sees or reaches the input itself. */
export function FilePicker({ ref, of, into = 'upload', onPick }: FilePickerProps) {
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    onPick([...(currentTarget.files ?? [])]);
    // The same file can be picked again.
    currentTarget.value = '';
  };
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      data-picker={into === 'upload' ? of : `${into}-${of}`}
      onChange={take}
      {...(of === 'folder' ? { webkitdirectory: '' } : {})}
    />
  );
}
