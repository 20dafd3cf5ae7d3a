import { useState } from 'react';
import { visibleText } from '../../shared/domain/visible-text.ts';
import type { TagFieldProps } from './tag-field.tsx';
import { text } from './tag-field-text.ts';
import { mostAtOnce, readTag, splitTyped } from './tag-field-typed.ts';

export interface Typing {
  typed: string;
  /** Why what is typed is no tag. */
  problem: string | null;
  /** What was done, for those who do not see it. */
  news: string;
  /** Takes the tags that ended and keeps the rest in the field. */
  type(value: string): void;
  /** Takes what is typed as a whole tag; false when it is none. */
  end(): boolean;
  choose(tag: string): void;
  remove(tag: string): void;
}

/** What is typed until it is a tag. Text that is no tag stays in the field, with the reason. */
export function useTyping({ tags, onAdd, onRemove, onTlp }: TagFieldProps): Typing {
  const [typed, setTyped] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const [news, setNews] = useState('');

  /** @returns why it was not taken */
  const take = (part: string, taken: Set<string>): string | null => {
    const read = readTag(part);
    if (read.kind === 'invalid') return read.reason;
    if (read.kind === 'tlp' && onTlp === undefined) return text.tlpElsewhere;
    if (read.kind === 'tlp') onTlp?.(read.level);
    if (read.kind !== 'tag' || taken.has(read.tag)) return null;
    taken.add(read.tag);
    onAdd(read.tag);
    setNews(text.added(visibleText(read.tag)));
    return null;
  };
  const type = (value: string): void => {
    const { ended, rest, isCut } = splitTyped(value);
    const taken = new Set(tags);
    const refused = ended.map((part) => ({ part, reason: take(part, taken) })).find(({ reason }) => reason !== null);
    setTyped(refused === undefined ? rest : refused.part);
    setProblem(refused?.reason ?? (isCut ? text.tooMany(mostAtOnce) : null));
  };
  const end = (): boolean => {
    const reason = take(typed, new Set(tags));
    setProblem(reason);
    if (reason === null) setTyped('');
    return reason === null;
  };
  return {
    typed,
    problem,
    news,
    type,
    end,
    choose: (tag) => {
      take(tag, new Set(tags));
      setTyped('');
      setProblem(null);
    },
    remove: (tag) => {
      onRemove(tag);
      setNews(text.removed(visibleText(tag)));
    },
  };
}
