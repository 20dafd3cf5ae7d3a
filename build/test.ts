import { buildPage } from './build-page.ts';
import type { CheckOutcome } from './check-outcome.ts';
import { check } from './check.ts';
import { runBrowserTests } from './run-browser-tests.ts';
import { runUnitTests } from './run-unit-tests.ts';
import { add, type Tally, tallyLine } from './tally.ts';

/** `npm test`: checks, unit tests, the page's build, browser tests. Each runs even if one before it failed. */
const checked = tallyOf(await check());
const unit = await runUnitTests();
const built = await buildPage();
const page: Tally = { passed: built ? 1 : 0, failed: built ? 0 : 1, skipped: 0 };
const browser = built ? await runBrowserTests() : { passed: 0, failed: 0, skipped: 0 };
if (!built) process.stderr.write('✗ the browser tests did not run: there is no page\n');

const parts = { checks: checked, 'unit tests': unit, 'page build': page, 'browser tests': browser };
for (const [name, tally] of Object.entries(parts)) process.stdout.write(`${name}: ${tallyLine(tally)}\n`);
const sum = add(...Object.values(parts));
process.stdout.write(`${tallyLine(sum)}\n`);
process.exitCode = sum.failed > 0 ? 1 : 0;

function tallyOf(outcomes: readonly CheckOutcome[]): Tally {
  const passed = outcomes.filter((outcome) => outcome.passed).length;
  return { passed, failed: outcomes.length - passed, skipped: 0 };
}
