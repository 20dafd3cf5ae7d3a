import type { ChangeEvent, RefObject } from 'react';
import { useBundleDesk } from './bundle-store.tsx';

/** The browser's picker, which only a file input opens. Nobody sees or reaches the input itself. */
export function BundlePicker({ ref }: { ref: RefObject<HTMLInputElement | null> }) {
  const { take } = useBundleDesk();
  const pick = ({ currentTarget }: ChangeEvent<HTMLInputElement>): void => {
    const [chosen] = currentTarget.files ?? [];
    if (chosen !== undefined) take(chosen);
    // The same file can be picked again.
    currentTarget.value = '';
  };
  return <input ref={ref} type="file" hidden accept=".vitrine-bundle" data-picker="bundle" onChange={pick} />;
}
