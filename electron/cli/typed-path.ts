import { resolve } from 'node:path';
import { wrongUsage } from './usage-error.ts';

/** Absolute. A variable of a script that is empty does not mean the folder it happens to run in. @throws UsageError */
export const pathOf = (typed: string): string => (typed === '' ? wrongUsage('a path is empty') : resolve(typed));
