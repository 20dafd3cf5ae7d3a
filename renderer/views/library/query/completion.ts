import { useEffect, useRef, useState } from 'react';
import { applyCompletion, completionAt, type QueryCompletion } from '../../../../shared/domain/query-completion.ts';
import { suggestedKinds } from '../../../../shared/domain/query-fields.ts';
import { useBridge } from '../../../bridge/bridge-context.tsx';

export interface Completion {
  /** Empty: the list is closed. */
  choices: readonly string[];
  /** What they would complete; null while the list is closed. */
  at: QueryCompletion | null;
  /** The place of the one that Enter takes. */
  active: number | null;
  /** At a place of the text, on request. */
  open(text: string, caret: number): void;
  /**
   * By itself while the person types: only where a word was begun, since the list of all beginnings would cover the
   * results.
   */
  offer(text: string, caret: number): void;
  close(): void;
  move(step: 1 | -1): void;
  /** The text with a choice in it. */
  taken(choice: string): { text: string; caret: number };
}

interface Place {
  text: string;
  caret: number;
  active: number | null;
}

/** What is offered after a field's colon is few, and wanted. */
const isBegun = ({ kind, beginning }: QueryCompletion): boolean => kind !== 'field' || beginning !== '';

/** The list of valid completions at the caret. Nothing in it is active until a key goes there. */
export function useCompletion(): Completion {
  const [place, setPlace] = useState<Place | null>(null);
  const completion = place === null ? null : completionAt(place.text, place.caret);
  const offered = useChoices(completion);
  // A text that is there already is no offer.
  const choices = offered.length === 1 && offered[0] === completion?.beginning ? [] : offered;
  const active = place !== null && place.active !== null && place.active < choices.length ? place.active : null;
  return {
    choices,
    at: choices.length === 0 ? null : completion,
    active,
    open: (text, caret) => setPlace({ text, caret, active: null }),
    offer: (text, caret) => setPlace(isBegun(completionAt(text, caret)) ? { text, caret, active: null } : null),
    close: () => setPlace(null),
    move: (step) => {
      const next =
        active === null ? (step === 1 ? 0 : choices.length - 1) : (active + step + choices.length) % choices.length;
      setPlace((before) => before && { ...before, active: next });
    },
    taken: (choice) =>
      place === null || completion === null ? { text: '', caret: 0 } : applyCompletion(place.text, completion, choice),
  };
}

/** As long as a beginning may be. */
const longestBeginning = 100;
const mostChoices = 60;
const none: readonly string[] = [];

type Known = (typeof suggestedKinds)[number];

/** The local values that can be offered for a field; null: none that the host knows. */
function knownKind({ kind, field }: QueryCompletion): Known | null {
  if (kind === 'tag' || kind === 'rule') return kind;
  // Those of which all values are known are offered at once.
  return kind === 'none' ? (suggestedKinds.find((one) => one === field) ?? null) : null;
}

/** The offers at a place of the query: parts of the language itself, or local values, which come a moment later. */
function useChoices(completion: QueryCompletion | null): readonly string[] {
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
