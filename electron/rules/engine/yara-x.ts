import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Where the build puts it: beside this module. */
const builtName = 'yara-x.wasm';

let compiled: Promise<WebAssembly.Module> | null = null;

/**
 * YARA-X, compiled once for the thread that asks, beside it. The workers of the gate are sent it and share its code; a
 * process or thread that scans has its own.
 */
export function yaraXModule(): Promise<WebAssembly.Module> {
  compiled ??= compile();
  return compiled;
}

async function compile(): Promise<WebAssembly.Module> {
  try {
    return await WebAssembly.compile(await readFile(wasmPath()));
  } catch (error) {
    compiled = null;
    throw error;
  }
}

/** In the sources it is in its package, whose `exports` name all but this file. */
function wasmPath(): string {
  const here = fileURLToPath(import.meta.url);
  if (extname(here) === '.js') return join(dirname(here), builtName);
  return join(dirname(createRequire(here).resolve('@virustotal/yara-x/package.json')), 'pkg', 'yara_x_js_bg.wasm');
}
