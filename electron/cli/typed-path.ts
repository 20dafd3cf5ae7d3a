import { resolve } from 'node:path';
import { wrongUsage } from './usage-error.ts';

/** Absolute. An empty argument, such as an unset variable of a script, is not the current folder. @throws UsageError */
export const pathOf = (typed: string): string => (typed === '' ? wrongUsage('a path is empty') : resolve(typed));
