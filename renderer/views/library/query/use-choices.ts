import { useEffect, useRef, useState } from 'react';
import type { QueryCompletion } from '../../../../shared/domain/query-completion.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';

/** As long as a beginning may be. */
const longestBeginning = 100;
const mostChoices = 20;
const none: readonly string[] = [];

type Known = 'tag' | 'rule' | 'type' | 'threat';

/** What of this desk can be offered for a field; null: nothing that the host knows. */
function knownKind({ kind, field }: QueryCompletion): Known | null {
  if (kind === 'tag' || kind === 'rule') return kind;
  return field === 'type' || field === 'threat' ? field : null;
}

/**
 * What is offered at a place of the query: what the language itself has, or what this desk knows, which comes a moment
 * later.
 */
export function useChoices(completion: QueryCompletion | null): readonly string[] {
  const bridge = useBridge();
  const [known, setKnown] = useState<{ of: string; choices: readonly string[] } | null>(null);
  const latest = useRef<string | null>(null);
  const kind = completion === null ? null : knownKind(completion);
  const beginning = completion?.beginning.slice(0, longestBeginning) ?? '';
  const of = kind === null ? null : `${kind}:${beginning}`;
  useEffect(() => {
    latest.current = of;
    if (kind === null || of === null) return;
    const ask = async (): Promise<void> => {
      const answer = await bridge.call('library.suggest', { kind, beginning });
      // Without an answer nothing is offered: what is typed is a query all the same.
      if (answer.ok && latest.current === of) setKnown({ of, choices: answer.value.choices });
    };
    void ask();
  }, [bridge, kind, beginning, of]);
  if (completion === null) return none;
  if (of === null) return completion.choices.slice(0, mostChoices);
  // The offers before stay until the next are here, as far as they still fit.
  return known?.of.startsWith(`${kind}:`) === true
    ? known.choices.filter((choice) => known.of === of || choice.startsWith(beginning))
    : none;
}
