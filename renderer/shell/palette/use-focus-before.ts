import { type FocusEvent, useRef } from 'react';
import { focusDrawn } from '../../keyboard/drawn-focus.ts';
import { focusLanding } from '../../keyboard/focus.ts';

export interface FocusBefore {
  note(event: FocusEvent): void;
  /** To where the focus was before the field had it; nobody has it when that is gone. */
  giveBack(): void;
  /** Nobody has the focus: the room that is shown next takes it. One that is shown already takes it now. */
  letGo(isShown: boolean): void;
}

/** Where the focus was before the field of the palette had it. */
export function useFocusBefore(): FocusBefore {
  const before = useRef<HTMLElement | null>(null);
  const letGo = (isShown: boolean): void => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    const main = document.querySelector('main');
    if (isShown && main !== null && !focusLanding(main)) focusDrawn(main);
  };
  return {
    note: ({ relatedTarget }) => {
      before.current = relatedTarget instanceof HTMLElement ? relatedTarget : null;
    },
    giveBack: () => {
      letGo(false);
      if (before.current?.isConnected === true) focusDrawn(before.current, { preventScroll: true });
    },
    letGo,
  };
}
