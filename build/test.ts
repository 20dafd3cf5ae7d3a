import { buildHost } from './build-host.ts';
import { buildPage } from './build-page.ts';
import type { CheckOutcome } from './check-outcome.ts';
import { check } from './check.ts';
import { hostOut, pageOut } from './paths.ts';
import { runBrowserTests } from './run-browser-tests.ts';
import { runUnitTests } from './run-unit-tests.ts';
import { add, type Tally, type TestRun, tallyLine } from './tally.ts';

/**
 * `npm test [-- --whole]`: checks, the page's build, unit tests, browser tests, one after the other. Each runs even if
 * one before it failed. Each keeps all processors of a small machine busy by itself: side by side, ten programs on two
 * processors took a seventh longer for the same. The long tests go through the further cases of what others hold for a
 * few, and are left out unless all is asked for.
 */
const isWhole = process.argv.includes('--whole');
const seconds: Record<string, number> = {};
const checks = await timed('checks', check);
const built = await timed('page build', buildPage);
const page: Tally = { passed: built ? 1 : 0, failed: built ? 0 : 1, skipped: 0 };
const noPage: TestRun = {
  tally: { passed: 0, failed: 0, skipped: 0 },
  failures: ['the browser tests did not run: there is no page'],
  leftOut: 0,
};
const isHostBuilt = await buildHost();
const unit = await timed('unit tests', () =>
  runUnitTests({ host: isHostBuilt ? hostOut : null, page: built ? pageOut : null, isWhole }),
);
const browser = built ? await timed('browser tests', () => runBrowserTests([], { isWhole })) : noPage;

const parts = { checks: tallyOf(checks), 'unit tests': unit.tally, 'page build': page, 'browser tests': browser.tally };
const failedChecks = checks.filter((outcome) => !outcome.passed).map(({ name }) => `the check of ${name}`);
for (const failure of [...failedChecks, ...unit.failures, ...browser.failures]) process.stdout.write(`✗ ${failure}\n`);
for (const [name, tally] of Object.entries(parts))
  process.stdout.write(`${name}: ${tallyLine(tally)} (${seconds[name] ?? 0} s)\n`);
const leftOut = unit.leftOut + browser.leftOut;
if (leftOut > 0)
  process.stdout.write(
    `○ SKIPPED: ${leftOut} long tests, the further cases of what others hold: npm test -- --whole runs them, too\n`,
  );
const sum = add(...Object.values(parts));
process.stdout.write(`all in ${Math.round(performance.now() / 1000)} s\n${tallyLine(sum)}\n`);
process.exitCode = sum.failed > 0 ? 1 : 0;

/** Where the ten minutes go that all of it may take. */
async function timed<Outcome>(name: string, run: () => Promise<Outcome>): Promise<Outcome> {
  const began = performance.now();
  const outcome = await run();
  seconds[name] = Math.round((performance.now() - began) / 1000);
  return outcome;
}

function tallyOf(outcomes: readonly CheckOutcome[]): Tally {
  const passed = outcomes.filter((outcome) => outcome.passed).length;
  return { passed, failed: outcomes.length - passed, skipped: 0 };
}
