import { globSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import { hostOut, root } from './paths.ts';

/** Entries, and the workers they start: a worker is found beside the module that starts it, by `import.meta.url`. */
const entries = globSync(['electron/{main,web,lab,cli}.ts', 'electron/**/*-worker.ts'], { cwd: root });

/**
 * The host as ES modules in the folders of their sources, its packages bundled in. They land in `packages/` because a
 * folder called `node_modules` is packed by electron-builder's own rules.
 */
export default defineConfig({
  root,
  publicDir: false,
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: hostOut,
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: entries.map((path) => join(root, path)),
      external: [/^electron(\/.*)?$/, /^node:/],
      output: {
        format: 'es',
        preserveModules: true,
        preserveModulesRoot: root,
        entryFileNames: ({ name }) => `${name.replaceAll('node_modules', 'packages')}.js`,
        chunkFileNames: ({ name }) => `${name.replaceAll('node_modules', 'packages')}.js`,
      },
    },
  },
});
