import { visibleText } from '../../shared/domain/visible-text.ts';
import { readFailure } from '../../shared/failure-kinds.ts';
import type { FailureSentence } from '../../shared/failure-sentence.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import type { Failure } from '../../shared/failure.ts';
import { cutMiddle } from './middle-cut.ts';

/** In characters: a SHA-256 and an ordinary path stay whole. */
const longestFact = 80;
/** A service's or a compiler's own words, which say the more the longer they are. */
const longestWords = 400;
/**
 * Scripts that run from right to left: such a fact would take the quotation marks and figures beside it along, and put
 * a file's ending before its name.
 */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;
const isolated = (text: string): string => `\u2066${text}\u2069`;

/**
 * The sentences of a failure as they are shown: what its facts hide is visible, long ones are cut in their middle, and
 * none turns the sentence around.
 */
export function failureWords(failure: Failure): FailureSentence {
  return sentenceFor(readFailure(shown(failure, longestFact)) ?? failure);
}

function shown(fact: unknown, longest: number): unknown {
  if (typeof fact === 'string') return shownText(cutMiddle(fact, longest));
  if (Array.isArray(fact)) return fact.map((each) => shown(each, longest));
  if (typeof fact !== 'object' || fact === null) return fact;
  return Object.fromEntries(
    Object.entries(fact).map(([name, each]) => [name, shown(each, name === 'text' ? longestWords : longest)]),
  );
}

function shownText(cut: string): string {
  const visible = visibleText(cut);
  return rightToLeft.test(visible) ? isolated(visible) : visible;
}
