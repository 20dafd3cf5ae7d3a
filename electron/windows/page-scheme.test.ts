import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { pageSchemeRegistration, servePage } from './page-security.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'vitrine-page-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function page() {
  const asked: string[] = [];
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  const serve = servePage(async (path) => {
    asked.push(path);
    return path === '/' ? { path: join(folder, 'index.html'), mediaType: 'text/html; charset=utf-8' } : null;
  });
  return { asked, serve };
}

test('a file of the page is served with a policy that allows no connection and nothing inline', async () => {
  const reply = await page().serve({ method: 'GET', url: 'vitrine-page://vitrine/?x#y' });
  expect([reply.status, await reply.text(), reply.headers.get('content-type')]).toEqual([
    200,
    '<!doctype html>',
    'text/html; charset=utf-8',
  ]);
  const policy = reply.headers.get('content-security-policy') ?? '';
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
});

test('what is not there is not found', async () => {
  const { serve, asked } = page();
  expect((await serve({ method: 'GET', url: 'vitrine-page://vitrine/%2e%2e/secret' })).status).toBe(404);
  expect(asked).toHaveLength(1);
});

test.each([
  ['another method', 'POST', 'vitrine-page://vitrine/'],
  ['another host', 'GET', 'vitrine-page://elsewhere/'],
])('%s is refused before a file is looked for', async (_what, method, url) => {
  const { serve, asked } = page();
  expect((await serve({ method, url })).status).toBe(405);
  expect(asked).toEqual([]);
});

test('the scheme has an origin, is secure and bypasses nothing', () => {
  expect(pageSchemeRegistration).toEqual({
    scheme: 'vitrine-page',
    privileges: { standard: true, secure: true, supportFetchAPI: false, codeCache: true },
  });
});
