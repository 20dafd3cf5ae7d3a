import { useState } from 'react';
import { Button } from './button.tsx';
import { words } from './format.ts';

export interface LongTextProps {
  text: string;
  /** As many are read at a glance; the rest is one press away, never gone. */
  charactersShown: number;
}

/** A service's text of any length: its beginning, and a way to all of it. */
export function LongText({ text, charactersShown }: LongTextProps) {
  const [whole, setWhole] = useState(false);
  if (whole || text.length <= charactersShown) return text;
  return (
    <>
      {`${text.slice(0, charactersShown)}… `}
      <Button size="small" look="inline" onPress={() => setWhole(true)}>
        {words.wholeText(text.length)}
      </Button>
    </>
  );
}
