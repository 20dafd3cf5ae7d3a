import { chromium } from '@playwright/test';
import { expect, test } from 'vitest';
import { featuresOff } from './browser-features.ts';

/** Which features Playwright turns off: it says how it starts a browser when what it started is none. */
async function offByPlaywright(): Promise<string[]> {
  const refusal = await chromium.launch({ executablePath: process.execPath }).then(
    () => 'it started',
    (error: unknown) => (error instanceof Error ? error.message : 'no error'),
  );
  const [, features = ''] = /--disable-features=(\S+)/.exec(refusal) ?? [];
  return features.split(',');
}

test('all that Playwright turns off stays off', async () => {
  const off = await offByPlaywright();
  expect(off).toContain('OptimizationHints');
  expect(featuresOff).toEqual(expect.arrayContaining(off));
});
