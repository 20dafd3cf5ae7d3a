import { useState } from 'react';
import { defang } from '../../shared/domain/defang.ts';
import { visibleText } from '../../shared/domain/visible-text.ts';
import typography from '../styles/typography.module.css';
import { Button } from './button.tsx';
import { words } from './words.ts';

const charactersShown = 4000;

/** The text of a comment as everybody reads it: no markup, no address that could be followed, its line breaks. */
export function CommentText({ content }: { content: string }) {
  const [whole, setWhole] = useState(false);
  if (content.trim() === '') return <p className={typography.faint}>{words.noText}</p>;
  const isLong = !whole && content.length > charactersShown;
  const text = defang(visibleText(isLong ? content.slice(0, charactersShown) : content));
  return (
    <>
      <p className={typography.asWritten} dir="auto">
        {isLong ? `${text}…` : text}
      </p>
      {isLong && (
        <Button size="small" look="quiet" onPress={() => setWhole(true)}>
          {words.wholeText(content.length)}
        </Button>
      )}
    </>
  );
}
