import { fileURLToPath } from 'node:url';
import { defineConfig } from '@playwright/test';
import base from '../playwright.config.ts';

/** `npm run tour`: one long walk, alone, with the browser and the patience of the other browser tests. */
export default defineConfig({
  ...base,
  testDir: '.',
  // Those of the other tests have folders of their own.
  projects: [{ name: 'web' }],
  testMatch: 'tour.spec.ts',
  outputDir: fileURLToPath(new URL('../../.out/tour/run/', import.meta.url)),
  timeout: 900_000,
  workers: 1,
  reporter: [['list', { printSteps: true }]],
});
