import { join } from 'node:path';
import { buildPage } from './build-page.ts';
import { ensureChromium } from './chromium.ts';
import { packageBin } from './package-bin.ts';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';

/** `npm run tour`: the whole main job on the lab, as a person does it; writes docs/tour.md and its pictures. */
process.exitCode = (await buildPage()) ? await tour() : 1;

async function tour(): Promise<number> {
  const chromium = await ensureChromium();
  if (!chromium.found) {
    process.stderr.write(`The tour did not begin: ${chromium.reason}\n`);
    return 1;
  }
  const env = { ...process.env, VITRINE_CHROMIUM: chromium.path };
  const { code } = await runNode(
    packageBin('@playwright/test', 'playwright'),
    ['test', '-c', join(root, 'e2e', 'tour', 'playwright.config.ts')],
    { env },
  );
  return code;
}
