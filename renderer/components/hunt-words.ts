import type { HuntEstimate } from '../../shared/domain/scan.ts';
import { numberWords } from './format.ts';

/** "4,310 of 5,000 samples not yet scanned with 12 rules." English, wherever a hunt is offered. */
export function unseenWords({ unseen, total }: Pick<HuntEstimate, 'unseen' | 'total'>): string {
  const rules = unseen.rules === 1 ? '1 rule' : `${numberWords(unseen.rules)} rules`;
  const samples = total.samples === 1 ? '1 sample' : `${numberWords(total.samples)} samples`;
  return `${numberWords(unseen.samples)} of ${samples} not yet scanned with ${rules}.`;
}
