import { type RefObject, useEffect, useRef } from 'react';

/** A line of the difference whose text was asked for; another one each time. */
export interface OpenedLine {
  index: number;
}

interface ShownText {
  opened: OpenedLine | null;
  /** Of the line that is current. */
  index: number;
  /** Whether its text is here: until then it is that of the line before. */
  isShown: boolean;
}

/** Puts the focus on the text of the line that was opened, once it is here and while the line is the current one. */
export function useOpenedText(text: RefObject<HTMLElement | null>, { opened, index, isShown }: ShownText): void {
  const done = useRef(opened);
  useEffect(() => {
    if (opened === null || opened === done.current) return;
    if (opened.index === index && !isShown) return;
    done.current = opened;
    if (opened.index === index) text.current?.querySelector<HTMLElement>('[data-source]')?.focus();
  }, [text, opened, index, isShown]);
}
