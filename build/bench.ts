import { join } from 'node:path';
import { findChromium } from './chromium.ts';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/** `npm run bench -- [--json] [--only NAME] [--quick | --write]`: ours and the reference in turn; non-zero when a `must` is missed or docs/performance.md is of other rows. */
// One row looks at the page in a browser; where there is none, that row says so.
const chromium = findChromium();
const env = { ...process.env, ...(chromium.found ? { VITRINE_CHROMIUM: chromium.path } : {}) };
const { code } = await runNode(join(root, 'e2e', 'bench', 'bench.ts'), process.argv.slice(2), { env });
process.exitCode = code;
