import { globSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { defineConfig, type Plugin } from 'vite';
import { nativeEnginePath } from './native-engine.ts';
import { hostOut, root } from './paths.ts';

/**
 * Entries, and the workers they start: a worker is found beside the module that starts it, by `import.meta.url`
 * (`ownPlaces`).
 */
const entries = globSync(['electron/{main,web,lab,scanner,cli}.ts', 'electron/**/*-worker.ts'], { cwd: root });

/**
 * The engines, beside the modules that read them: WebAssembly (`electron/rules/engine/yara-x.ts`), and native code
 * (`native-yara.ts`) where there is some for this machine.
 */
const engine: Plugin = {
  name: 'yara-x',
  generateBundle() {
    const folder = dirname(createRequire(import.meta.url).resolve('@virustotal/yara-x/package.json'));
    this.emitFile({
      type: 'asset',
      fileName: 'electron/rules/engine/yara-x.wasm',
      source: readFileSync(join(folder, 'pkg', 'yara_x_js_bg.wasm')),
    });
    const native = nativeEnginePath();
    if (native !== null)
      this.emitFile({ type: 'asset', fileName: 'electron/rules/engine/yara-x.node', source: readFileSync(native) });
  },
};

/** The SQL of each version of the database, beside the module that reads it (`migrations.ts`). */
const migrations: Plugin = {
  name: 'migrations',
  generateBundle() {
    for (const path of globSync('electron/storage/migrations/*.sql', { cwd: root }))
      this.emitFile({
        type: 'asset',
        fileName: path.split(sep).join('/'),
        source: readFileSync(join(root, path), 'utf8'),
      });
  },
};

const topOfHost = '@top-of-the-host@';

/**
 * `import.meta.url` in a module of ours is where it would lie by itself, whichever chunk it went into: workers,
 * processes and engines are found from there.
 */
const ownPlaces: Plugin = {
  name: 'own-places',
  transform(code, id) {
    const path = relative(root, id).split(sep).join('/');
    if (!path.startsWith('electron/') || !code.includes('import.meta.url')) return null;
    return code.replaceAll(
      'import.meta.url',
      `new URL('${topOfHost}/${path.replace(/\.ts$/, '.js')}', import.meta.url).href`,
    );
  },
  renderChunk(code, { fileName }) {
    const top = posix.relative(posix.dirname(fileName), '.');
    return code.includes(topOfHost) ? code.replaceAll(topOfHost, top === '' ? '.' : top) : null;
  },
};

/**
 * The host: its entries and workers at the places of their sources, all else in a few chunks. A module by itself takes
 * as long to find and open as to run.
 */
export default defineConfig({
  root,
  publicDir: false,
  plugins: [engine, migrations, ownPlaces],
  ssr: { noExternal: true, external: ['electron'] },
  build: {
    ssr: true,
    target: 'node24',
    outDir: hostOut,
    emptyOutDir: true,
    minify: false,
    rolldownOptions: {
      input: Object.fromEntries(
        entries.map((path) => [path.split(sep).join('/').replace(/\.ts$/, ''), join(root, path)]),
      ),
      external: [/^electron(\/.*)?$/, /^node:/],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' },
    },
  },
});
