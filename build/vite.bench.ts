import { join } from 'node:path';
import { mergeConfig } from 'vite';
import { benchOut, root } from './paths.ts';
import host from './vite.host.ts';

/**
 * The host as it is shipped, and beside it what `npm run bench` measures it with: Node reads TypeScript with an engine
 * of its own, which takes time and memory.
 */
export default mergeConfig(host, {
  build: { outDir: benchOut, rolldownOptions: { input: { 'electron/bench': join(root, 'electron', 'bench.ts') } } },
});
