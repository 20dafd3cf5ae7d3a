import { AskedThread } from '../asked-thread.ts';
import type { FromFacts, ToFacts } from './facts-messages.ts';

/** One worker that reads staged files. */
export class FactsThread extends AskedThread<ToFacts, FromFacts> {
  constructor() {
    super({ entry: './facts-worker', beside: import.meta.url, task: 'reading files' });
  }
}
