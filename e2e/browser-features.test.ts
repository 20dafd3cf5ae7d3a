import { chromium } from '@playwright/test';
import { expect, test } from 'vitest';
import { featuresOff } from './browser-features.ts';

/** The features that Playwright turns off: it shows how it starts a browser when the started program is none. */
async function offByPlaywright(): Promise<string[]> {
  const refusal = await chromium.launch({ executablePath: process.execPath }).then(
    () => 'it started',
    (error: unknown) => (error instanceof Error ? error.message : 'no error'),
  );
  const [, features = ''] = /--disable-features=(\S+)/.exec(refusal) ?? [];
  return features.split(',');
}

test('every browser feature that Playwright disables stays disabled', async () => {
  const off = await offByPlaywright();
  expect(off).toContain('OptimizationHints');
  expect(featuresOff).toEqual(expect.arrayContaining(off));
});
