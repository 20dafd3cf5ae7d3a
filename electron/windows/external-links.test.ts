import { expect, test } from 'vitest';
import { openLink } from './page-security.ts';

async function tryLink(address: string, answer: boolean) {
  const asked: string[] = [];
  const opened: string[] = [];
  const result = await openLink(address, {
    confirm: async (shown) => (asked.push(shown), answer),
    openExternal: async (url) => void opened.push(url),
  });
  return { asked, opened, result };
}

test('an allowed link opens after the person says yes, and is shown whole', async () => {
  const address = 'https://virustotal.github.io/yara-x/docs/';
  expect(await tryLink(address, true)).toEqual({ asked: [address], opened: [address], result: true });
});

test('a no is a no', async () => {
  expect(await tryLink('https://yara.readthedocs.io/', false)).toMatchObject({ opened: [], result: false });
});

test.each([
  'http://virustotal.github.io/',
  'https://virustotal.github.io.example.com/',
  'https://example.com/?https://virustotal.github.io/',
  'https://virustotal.github.io@example.com/',
  'https://user@virustotal.github.io/',
  'https://virustotal.github.io:8443/',
  'https://sub.virustotal.github.io/',
  'file:///etc/passwd',
  'smb://virustotal.github.io/share',
  'javascript:alert(1)',
  'virustotal.github.io',
  '',
])('%s is refused without a question', async (address) => {
  expect(await tryLink(address, true)).toEqual({ asked: [], opened: [], result: false });
});
