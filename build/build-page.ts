import { join } from 'node:path';
import { buildWithVite } from './build-with-vite.ts';
import type { Built } from './freshness.ts';
import { pageOut } from './paths.ts';

const page: Built = {
  name: 'page',
  sources: ['renderer/**/*', 'shared/**/*', 'build/vite.page.ts', 'package-lock.json'],
  result: join(pageOut, 'index.html'),
};

/** Builds the page unless it is up to date. */
export function buildPage(): Promise<boolean> {
  return buildWithVite(page, 'build/vite.page.ts');
}
