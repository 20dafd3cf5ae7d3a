import { join } from 'node:path';
import { buildBenchHost } from './build-host.ts';
import { findChromium } from './chromium.ts';
import { benchOut, root } from './paths.ts';
import { runNode } from './run-command.ts';

/** `npm run bench -- [--json] [--only NAME] [--quick | --write]`: ours and the reference in turn; non-zero when a `must` is missed or docs/performance.md is of other rows. */
// One row looks at the page in a browser; where there is none, that row says so.
const chromium = findChromium();
const env = { ...process.env, VITRINE_BUILT_HOST: benchOut, ...(chromium.found ? { VITRINE_CHROMIUM: chromium.path } : {}) };
process.exitCode = (await buildBenchHost()) ? (await runNode(join(root, 'e2e', 'bench', 'bench.ts'), process.argv.slice(2), { env })).code : 1;
