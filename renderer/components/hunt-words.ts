import type { HuntEstimate } from '../../shared/domain/scan.ts';
import { numberWords } from './byte-words.ts';

/** "12 rules have not seen 4,310 of 5,000 samples." English, wherever a hunt is offered. */
export function unseenWords({ unseen, total }: Pick<HuntEstimate, 'unseen' | 'total'>): string {
  const rules = unseen.rules === 1 ? '1 rule has' : `${numberWords(unseen.rules)} rules have`;
  const samples = total.samples === 1 ? '1 sample' : `${numberWords(total.samples)} samples`;
  return `${rules} not seen ${numberWords(unseen.samples)} of ${samples}.`;
}
