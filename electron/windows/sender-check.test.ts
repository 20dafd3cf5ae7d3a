import { expect, test } from 'vitest';
import { isFromOwnPage } from './page-security.ts';

test('the main frame of our own page is listened to', () => {
  expect(isFromOwnPage({ senderFrame: { url: 'vitrine-page://vitrine/#/lookup', parent: null } })).toBe(true);
});

test.each([
  ['a frame that is gone', null],
  ['a frame inside our page', { url: 'vitrine-page://vitrine/', parent: {} }],
  ['another site', { url: 'https://vitrine/', parent: null }],
  ['another host of our scheme', { url: 'vitrine-page://evil/', parent: null }],
  ['a host that begins like ours', { url: 'vitrine-page://vitrine.evil/', parent: null }],
  ['our host with a user name', { url: 'vitrine-page://user@vitrine/', parent: null }],
  ['our host with a port', { url: 'vitrine-page://vitrine:80/', parent: null }],
  ['the deep-link scheme', { url: 'vitrine://vitrine/', parent: null }],
  ['a file', { url: 'file:///vitrine-page://vitrine/', parent: null }],
  ['an empty page', { url: 'about:blank', parent: null }],
  ['no address', { url: '', parent: null }],
])('%s is not', (_who, senderFrame) => {
  expect(isFromOwnPage({ senderFrame })).toBe(false);
});
