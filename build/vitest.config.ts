import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { out, root, unitReport } from './paths.ts';

/** Unit tests: plain Node for the host and for pure code, a DOM for what draws. */
export default defineConfig({
  root,
  test: {
    // A loaded machine with two cores is the rule, not the exception; a hung test still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    setupFiles: ['build/equal-bytes.setup.ts'],
    outputFile: { json: unitReport },
    attachmentsDir: join(out, 'test', 'attachments'),
    // Style sheets are empty in tests, except the tokens: their contrast is computed.
    css: { include: [/tokens\.css/] },
    projects: [
      {
        extends: true,
        test: { name: 'node', environment: 'node', include: ['{shared,electron,e2e,build,renderer}/**/*.test.ts'] },
      },
      {
        extends: true,
        plugins: [react()],
        test: { name: 'page', environment: 'jsdom', include: ['renderer/**/*.test.tsx'] },
      },
    ],
  },
});
