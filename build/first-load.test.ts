import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runVite } from './build-with-vite.ts';
import { firstLoad, gzippedBytes } from './first-load.ts';

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'vitrine-page-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('the first load counts a static import once and a dynamic import never', () => {
  const page = join(folder, 'small');
  mkdirSync(join(page, 'assets'), { recursive: true });
  writeFileSync(join(page, 'index.html'), '<script type="module" crossorigin src="./assets/page.js"></script>');
  writeFileSync(
    join(page, 'assets', 'page.js'),
    "import './shared.js'; import { a } from './other.js'; void import('./later.js'); a();",
  );
  writeFileSync(join(page, 'assets', 'other.js'), "import './shared.js'; export const a = () => {};");
  writeFileSync(join(page, 'assets', 'shared.js'), 'export {};');
  expect(firstLoad(page).map((path) => path.replaceAll('\\', '/'))).toEqual([
    'assets/page.js',
    'assets/shared.js',
    'assets/other.js',
  ]);
});

describe('the built page', () => {
  let page: string;
  beforeAll(async () => {
    page = process.env.VITRINE_BUILT_PAGE ?? (await buildNow());
  });

  async function buildNow(): Promise<string> {
    const place = join(folder, 'page');
    const { code, output } = await runVite('build/vite.page.ts', '--outDir', place);
    if (code !== 0) throw new Error(output);
    return place;
  }

  test('loads at most 330 kB of gzipped script before its first paint', () => {
    const bytes = gzippedBytes(page, firstLoad(page));
    expect(bytes).toBeGreaterThan(100_000);
    expect(bytes).toBeLessThan(330_000);
  });

  test('has a separate script for each view that is not shown first', () => {
    const views = readdirSync(join(page, 'assets')).flatMap((name) => /^(.*)-view-.*\.js$/.exec(name)?.[1] ?? []);
    expect(views).toEqual(expect.arrayContaining(['scan', 'publications', 'upload', 'settings']));
    expect(firstLoad(page).filter((path) => path.includes('-view-'))).toEqual([]);
  });

  test('has no inline code that a strict content security policy would refuse', () => {
    const html = readFileSync(join(page, 'index.html'), 'utf8');
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\bstyle=|\son[a-z]+=/);
  });
});
