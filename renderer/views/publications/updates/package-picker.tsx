import type { ChangeEvent, RefObject } from 'react';

export interface PackagePickerProps {
  /** To be clicked when a file is wanted. */
  ref: RefObject<HTMLInputElement | null>;
  onPick(file: File): void;
}

/** The browser's picker for one package. Any file may be one: what it is, the host tells. */
export function PackagePicker({ ref, onPick }: PackagePickerProps) {
  const take = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const file = currentTarget.files?.[0];
    if (file !== undefined) onPick(file);
    // The same file can be picked again.
    currentTarget.value = '';
  };
  return <input ref={ref} type="file" hidden data-picker="package" onChange={take} />;
}
