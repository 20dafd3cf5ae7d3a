import { describe, expect, it } from 'vitest';
import { failureOf } from '../failure-of.fixture.ts';
import { checkAddress, isLoopback } from './address.ts';

const strict = { allowHttp: false };

describe('a service address', () => {
  it.each([
    ['https://repo.example', 'https://repo.example'],
    ['  https://repo.example/  ', 'https://repo.example'],
    ['HTTPS://Repo.Example:443/', 'https://repo.example'],
    ['https://repo.example:8443/base//', 'https://repo.example:8443/base'],
    ['https://repo.example/api.php', 'https://repo.example'],
    ['https://repo.example/base/api.php/', 'https://repo.example/base'],
    ['https://repo.example/base/API.PHP', 'https://repo.example/base'],
    ['https://repo.example/base/api.php//api.php/', 'https://repo.example/base'],
    ['https://repo.example/myapi.php', 'https://repo.example/myapi.php'],
    ['http://127.0.0.1:8080/repository', 'http://127.0.0.1:8080/repository'],
    ['http://127.9.9.9', 'http://127.9.9.9'],
    ['http://127.1', 'http://127.0.0.1'],
    ['http://localhost:1/', 'http://localhost:1'],
    ['http://[::1]:1/', 'http://[::1]:1'],
    ['https://пример.example/a b'.replace(' ', '%20'), 'https://xn--e1afmkfd.example/a%20b'],
  ])('%s becomes %s', (typed, normal) => {
    expect(checkAddress(typed, strict)).toBe(normal);
    expect(checkAddress(normal, strict)).toBe(normal);
  });

  it.each([
    ['', 'syntax'],
    ['repo.example', 'syntax'],
    ['repo.example:8080', 'syntax'],
    ['https://', 'syntax'],
    ['https://repo.example:99999', 'syntax'],
    ['https://re po.example', 'syntax'],
    ['https://repo.example\\base', 'syntax'],
    ['https://repo.exa\tmple', 'syntax'],
    ['javascript:alert(1)', 'syntax'],
    ['ftp://repo.example', 'scheme'],
    ['file:///etc/passwd', 'scheme'],
    ['https://me@repo.example', 'user-info'],
    ['https://me:secret@repo.example', 'user-info'],
    ['https://@repo.example', 'user-info'],
    ['https://repo.example?token=x', 'query'],
    ['https://repo.example/?', 'query'],
    ['https://repo.example#top', 'fragment'],
    ['https://repo.example/#', 'fragment'],
  ])('%j is refused: %s', async (typed, reason) => {
    expect(await failureOf(() => checkAddress(typed, { allowHttp: true }))).toEqual({
      kind: 'address-invalid',
      reason,
    });
  });

  it.each([
    'http://repo.example',
    'http://10.0.0.1:80',
    'http://localhost.example',
    'http://127.0.0.1.example',
    'http://0.0.0.0',
    'http://[::ffff:127.0.0.1]',
  ])('%s needs a separate permission, because http is readable in transit', async (typed) => {
    expect(await failureOf(() => checkAddress(typed, strict))).toMatchObject({ kind: 'http-not-allowed' });
    expect(checkAddress(typed, { allowHttp: true })).toMatch(/^http:/);
  });

  it('counts as loopback by its whole host, not by its beginning', () => {
    expect(['localhost', '127.0.0.1', '127.255.0.3', '[::1]'].every(isLoopback)).toBe(true);
    expect(['localhost.example', '127.0.0.1.example', '128.0.0.1', '[::2]', ''].some(isLoopback)).toBe(false);
  });
});
