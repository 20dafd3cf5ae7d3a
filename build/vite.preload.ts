import { join } from 'node:path';
import { defineConfig } from 'vite';
import { hostOut, root } from './paths.ts';

/** ONE CommonJS file: a sandboxed preload can load no sibling, and no ES module. */
export default defineConfig({
  root,
  publicDir: false,
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: true,
    target: 'chrome140',
    outDir: hostOut,
    emptyOutDir: false,
    minify: false,
    rolldownOptions: {
      input: join(root, 'electron', 'preload.ts'),
      external: ['electron'],
      output: { format: 'cjs', entryFileNames: 'electron/preload.cjs', codeSplitting: false },
    },
  },
});
