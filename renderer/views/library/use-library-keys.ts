import type { RefObject } from 'react';
import { useLibraryLayout } from '../../features/library/library-place.tsx';
import { useLetterButtons } from '../../keyboard/view-keys.ts';

type KeyPress = Pick<
  KeyboardEvent,
  'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'target' | 'defaultPrevented' | 'preventDefault'
>;

/**
 * The keys of the library: letters press their buttons, Space shows or hides the inspector, Delete asks whether to
 * forget.
 */
export function useLibraryKeys(view: RefObject<HTMLElement | null>): (event: KeyPress) => void {
  const [{ showsInspector }, change] = useLibraryLayout();
  const onOther = (event: KeyPress): void => {
    const { key, target } = event;
    if (
      event.defaultPrevented ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey ||
      !(target instanceof HTMLElement) ||
      view.current?.contains(target) !== true
    )
      return;
    if (target.matches('[data-index]') && key === ' ') change({ showsInspector: !showsInspector });
    else if (target.matches('[data-index]') && key === 'Delete')
      view.current.querySelector<HTMLElement>('[data-forget]:not(:disabled)')?.click();
    else if (key === 'Escape' && target.closest('aside') !== null)
      view.current.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus();
    else return;
    event.preventDefault();
  };
  return useLetterButtons(view, onOther);
}
