import type { ChangeEvent, RefObject } from 'react';
import type { DroppedEntry } from '../../../features/uploads/dropped-files.ts';

export interface PackagePickerProps {
  /** To be clicked when files are wanted. */
  ref: RefObject<HTMLInputElement | null>;
  of: 'files' | 'folder';
  onPick(files: readonly DroppedEntry[]): void;
}

/** The browser's picker for a package. Any file may be one: what it is, the host tells. */
export function PackagePicker({ ref, of, onPick }: PackagePickerProps) {
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const files = [...(currentTarget.files ?? [])];
    if (files.length > 0) onPick(files);
    // The same file can be picked again.
    currentTarget.value = '';
  };
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      data-picker={of === 'folder' ? 'package-folder' : 'package'}
      onChange={take}
      {...(of === 'folder' ? { webkitdirectory: '' } : {})}
    />
  );
}
