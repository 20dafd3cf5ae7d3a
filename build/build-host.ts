import { join } from 'node:path';
import { buildWithVite } from './build-with-vite.ts';
import type { Built } from './freshness.ts';
import { hostOut } from './paths.ts';

const host: Built = {
  name: 'host',
  sources: ['electron/**/*.ts', 'shared/**/*.ts', 'build/vite.host.ts', 'build/vite.preload.ts', 'package-lock.json'],
  result: join(hostOut, 'electron', 'preload.cjs'),
};

/** Bundles the host, and its preload, unless they are up to date. */
export function buildHost(): Promise<boolean> {
  return buildWithVite(host, 'build/vite.host.ts', 'build/vite.preload.ts');
}
