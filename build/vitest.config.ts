import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { builtHost } from './built-host-plugin.ts';
import { folderOfTests } from './folder-of-tests.ts';
import { licencesModule } from './licences-plugin.ts';
import { long } from './long-tests.ts';
import { out, root, unitReport } from './paths.ts';
import { isolatedTests } from './isolated-tests.ts';

const tests = ['{shared,electron,e2e,build,renderer}/**/*.test.ts'];
/** `npm test` names the folder of the built host; without it, what tests start runs from its sources. */
const built = process.env['VITRINE_BUILT_HOST'];
const plugins = built === undefined ? [] : [builtHost(built)];

/**
 * Of each process that many files of tests share, in MiB: what they throw away is collected a few times, and not after
 * each of them.
 */
const roomy = ['--min-semi-space-size=64', '--max-semi-space-size=64', '--initial-heap-size=1024'];

/** Unit tests: plain Node for the host and for pure code, a DOM for what draws. */
export default defineConfig({
  root,
  test: {
    // A loaded machine with two cores is the rule, not the exception; a hung test still ends.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What is waited for comes late there, too.
    expect: { poll: { timeout: 10_000 } },
    // One more than its cores: tests wait for programs, disks and timers, too.
    maxWorkers: 3,
    tags: [{ name: long, description: 'The further cases of what another test holds for a few.' }],
    setupFiles: ['build/equal-bytes.setup.ts', 'build/patient-waits.setup.ts', 'build/fewer-cases.setup.ts'],
    env: { TMPDIR: folderOfTests() },
    outputFile: { json: unitReport },
    attachmentsDir: join(out, 'test', 'attachments'),
    // Style sheets are empty in tests, except the tokens: their contrast is computed.
    css: { include: [/tokens\.css/] },
    // Loading the same modules again for each file took as long as most tests.
    projects: [
      {
        extends: true,
        plugins,
        test: {
          name: 'node',
          environment: 'node',
          include: tests,
          exclude: isolatedTests,
          isolate: false,
          execArgv: roomy,
          setupFiles: ['renderer/test/browser-database.setup.ts'],
        },
      },
      {
        extends: true,
        plugins,
        test: { name: 'apart', environment: 'node', include: isolatedTests },
      },
      {
        extends: true,
        plugins: [react(), licencesModule()],
        // Two cores are the rule, and nothing here waits for anything else: a third worker made the two others slower.
        test: {
          name: 'page',
          environment: 'jsdom',
          include: ['renderer/**/*.test.tsx'],
          isolate: false,
          execArgv: roomy,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          setupFiles: [
            'renderer/test/no-owner-stacks.setup.ts',
            'renderer/test/short-misses.setup.ts',
            'renderer/test/empty-memory.setup.ts',
          ],
        },
      },
    ],
  },
});
