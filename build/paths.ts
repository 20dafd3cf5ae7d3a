import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The project's top folder. */
export const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
/** All output goes here, never beside sources. */
export const out = join(root, '.out');
export const pageOut = join(out, 'page');
export const hostOut = join(out, 'host');
/** The same with what measures it. */
export const benchOut = join(out, 'bench');
/** The output of vitest's JSON reporter, from every kind of run. */
export const unitReport = join(out, 'test', 'unit.json');
