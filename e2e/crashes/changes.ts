import { download } from './changes/download.ts';
import type { DurableChange } from './durable-change.ts';

/** In the order of the table. */
export const changes: readonly DurableChange[] = [download];
