import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { nativeEnginePath } from './native-engine.ts';
import { hostOut, root } from './paths.ts';

/** Entries, and the workers they start: a worker is found beside the module that starts it, by `import.meta.url`. */
const entries = globSync(['electron/{main,web,lab,scanner,cli}.ts', 'electron/**/*-worker.ts'], { cwd: root });

/** The engines, beside the modules that read them: WebAssembly (`electron/rules/engine/yara-x.ts`), and native code (`native-yara.ts`) where there is some for this machine. */
const engine: Plugin = {
  name: 'yara-x',
  generateBundle() {
    const folder = dirname(createRequire(import.meta.url).resolve('@virustotal/yara-x/package.json'));
    this.emitFile({ type: 'asset', fileName: 'electron/rules/engine/yara-x.wasm', source: readFileSync(join(folder, 'pkg', 'yara_x_js_bg.wasm')) });
    const native = nativeEnginePath();
    if (native !== null) this.emitFile({ type: 'asset', fileName: 'electron/rules/engine/yara-x.node', source: readFileSync(native) });
  },
};

/**
 * The host as ES modules in the folders of their sources, its packages bundled in. They land in `packages/` because a
 * folder called `node_modules` is packed by electron-builder's own rules.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [engine],
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
