import { useEffect, useEffectEvent, useState } from 'react';
import { normalTag } from '../../shared/domain/tag.ts';

/** Typing is asked about when it pauses. */
const pauseMs = 150;
const none: readonly string[] = [];

/** Known tags for what is typed now; none while the answer is on its way, and of an answer that was overtaken. */
export function useSuggestions(
  typed: string,
  suggest: (beginning: string) => Promise<readonly string[]>,
): readonly string[] {
  const [answer, setAnswer] = useState<{ beginning: string; tags: readonly string[] }>({ beginning: '', tags: none });
  const ask = useEffectEvent(suggest);
  const beginning = normalTag(typed);
  useEffect(() => {
    if (beginning === '') return undefined;
    let isStale = false;
    const find = async (): Promise<void> => {
      const tags = await ask(beginning);
      if (!isStale) setAnswer({ beginning, tags });
    };
    const timer = setTimeout(() => void find(), pauseMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [beginning]);
  return beginning !== '' && answer.beginning === beginning ? answer.tags : none;
}
