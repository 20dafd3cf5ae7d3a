import { join } from 'node:path';
import { buildWithVite } from './build-with-vite.ts';
import type { Built } from './freshness.ts';
import { benchOut, hostOut } from './paths.ts';

const sources = ['electron/**/*.{ts,sql}', 'shared/**/*.ts', 'build/vite.host.ts', 'package-lock.json'];
const host: Built = {
  name: 'host',
  sources: [...sources, 'build/vite.preload.ts'],
  result: join(hostOut, 'electron', 'preload.cjs'),
};

/** Bundles the host, and its preload, unless they are up to date. */
export function buildHost(): Promise<boolean> {
  return buildWithVite(host, 'build/vite.host.ts', 'build/vite.preload.ts');
}

const bench: Built = {
  name: 'host to be measured',
  sources: [...sources, 'build/vite.bench.ts'],
  result: join(benchOut, 'electron', 'bench.js'),
};

/** Bundles the host with what measures it. */
export function buildBenchHost(): Promise<boolean> {
  return buildWithVite(bench, 'build/vite.bench.ts');
}
