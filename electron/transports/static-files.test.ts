import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findPageFile } from './static-files.ts';
import { type HttpHarness, openHttpHarness } from './testing/http-harness.ts';

let outside: string;
let page: HttpHarness;
const text = 'only for this computer';

beforeAll(async () => {
  page = await openHttpHarness();
  const folder = page.pageDirectory;
  outside = await mkdtemp(join(tmpdir(), 'vitrine-outside-'));
  await writeFile(join(outside, 'private.json'), text);
  await mkdir(join(folder, 'assets'));
  for (const name of ['index-Bx_1-a.js', 'index-c2.css', 'inter.woff2', 'mark.svg', 'run.exe', '.env', 'noextension']) {
    await writeFile(join(folder, 'assets', name), `/* ${name} */`);
  }
  await mkdir(join(folder, 'assets', 'folder.js'));
  await symlink(join(outside, 'private.json'), join(folder, 'leak.json'));
  await symlink(outside, join(folder, 'linked'));
  await symlink(join(folder, 'loop.json'), join(folder, 'loop.json'));
  // A neighbour whose path begins like the page's folder
  await mkdir(`${folder}-2`);
  await writeFile(join(`${folder}-2`, 'private.json'), text);
  await symlink(`${folder}-2`, join(folder, 'neighbour'));
});
afterAll(async () => {
  await rm(`${page.pageDirectory}-2`, { recursive: true });
  await page.close();
  await rm(outside, { recursive: true });
});

const ownHost = (): Record<string, string> => ({ host: `127.0.0.1:${page.host.port}` });
const get = (path: string) => page.raw({ path, headers: ownHost() });

describe('a file of the page', () => {
  test.each([
    ['/', 'text/html; charset=utf-8'],
    ['/index.html', 'text/html; charset=utf-8'],
    ['/assets/index-Bx_1-a.js', 'text/javascript; charset=utf-8'],
    ['/assets/index-c2.css?v=1', 'text/css; charset=utf-8'],
    ['/assets/inter.woff2', 'font/woff2'],
    ['/assets/mark.svg', 'image/svg+xml'],
  ])('%s is served as %s', async (path, mediaType) => {
    const reply = await get(path);
    expect(reply).toMatchObject({
      status: 200,
      headers: { 'content-type': mediaType, 'content-length': String(reply.body.byteLength) },
    });
    expect(reply.body.byteLength).toBeGreaterThan(0);
  });

  test('has every protective header of browsers', async () => {
    const { headers } = await get('/');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'origin-agent-cluster': '?1',
    });
    const policy = headers['content-security-policy'];
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      "frame-ancestors 'none'",
    ]) {
      expect(policy).toContain(rule);
    }
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers['set-cookie']).toBeUndefined();
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is cached by the browser only when its name changes with its content', async () => {
    expect((await get('/')).headers['cache-control']).toBe('no-store');
    expect((await get('/assets/mark.svg')).headers['cache-control']).toContain('immutable');
  });

  test('HEAD returns the headers alone', async () => {
    const reply = await page.raw({ method: 'HEAD', path: '/', headers: ownHost() });
    expect(reply).toMatchObject({ status: 200, headers: { 'content-length': '37' } });
    expect(reply.body).toHaveLength(0);
  });

  test('an unbuilt page is a message, not a crash', async () => {
    expect(await findPageFile(join(outside, 'nowhere'), '/')).toBeNull();
  });
});

test.each([
  '/../private.json',
  '/assets/../../private.json',
  '/%2e%2e/private.json',
  '/..%2fprivate.json',
  '/%2e%2e%2fprivate.json',
  '/..\\private.json',
  '/..%5cprivate.json',
  '/%252e%252e/private.json',
  '/%c0%ae%c0%ae/private.json',
  '//etc/hosts.json',
  '/assets//mark.svg',
  '/./index.html',
  '/assets/.env',
  '/.env.json',
  '/leak.json',
  '/linked/private.json',
  '/neighbour/private.json',
  '/loop.json',
  '/assets/run.exe',
  '/assets/noextension',
  '/assets',
  '/assets/',
  '/assets/folder.js',
  '/assets/folder.js/x.js',
  '/index.html/x.js',
  '/index.html%00.js',
  '/index.html:stream.js',
  '/nowhere.js',
  '*',
  'http://127.0.0.1/index.html',
  `/${'a'.repeat(300)}.js`,
  `/${'a/'.repeat(4000)}x.js`,
])('%s is not found', async (path) => {
  const reply = await get(path);
  expect(reply.body.toString()).not.toContain(text);
  expect(reply).toMatchObject({ status: 404, json: { ok: false, failure: { kind: 'unknown-operation' } } });
});

test('no path reaches a file outside the folder', async () => {
  const part = fc.constantFrom(
    '..',
    '.',
    '',
    'assets',
    'linked',
    'leak.json',
    'private.json',
    '%2e%2e',
    '\0',
    'index.html',
    '\\',
    'C:',
    '~',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.oneof(part, fc.string()), { maxLength: 6 }), async (parts) => {
      const found = await findPageFile(page.pageDirectory, `/${parts.join('/')}`);
      expect(found === null || found.path.startsWith(`${page.pageDirectory}/`)).toBe(true);
    }),
  );
});
