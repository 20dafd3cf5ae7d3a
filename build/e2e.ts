import { buildPage } from './build-page.ts';
import { runBrowserTests } from './run-browser-tests.ts';
import { tallyLine } from './tally.ts';

/** `npm run e2e [-- Playwright's options]`: the browser tests alone, over a page that is up to date. */
if (await buildPage()) {
  const { tally, failures } = await runBrowserTests(process.argv.slice(2));
  for (const failure of failures) process.stdout.write(`✗ ${failure}\n`);
  process.stdout.write(`${tallyLine(tally)}\n`);
  process.exitCode = tally.failed > 0 ? 1 : 0;
} else process.exitCode = 1;
