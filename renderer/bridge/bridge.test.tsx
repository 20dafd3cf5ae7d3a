import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { failed } from '../../shared/failure.ts';
import type { Bridge } from '../../shared/transport.ts';
import { browserSurroundings, openBridge } from './bridge.ts';
import { HttpBridge } from './http-bridge.ts';
import { exportUrl } from './page-session.ts';

const quiet = { onConnected: () => {}, onLost: () => {} };
const secret = 'Ab_-'.repeat(11).slice(0, 43);

beforeEach(() => history.replaceState(null, '', '/?theme=dark'));
afterEach(() => {
  Reflect.deleteProperty(window, 'bridge');
  vi.restoreAllMocks();
});

describe('the bridge', () => {
  test('is the preload bridge where one exists', () => {
    const preload: Bridge<File> = {
      call: async () => failed({ kind: 'host-gone' }),
      subscribe: () => () => {},
      stageFile: async () => failed({ kind: 'host-gone' }),
    };
    Object.assign(window, { bridge: preload });
    expect(openBridge(quiet)).toBe(preload);
  });

  test('is HTTP otherwise', () => {
    expect(openBridge(quiet)).toBeInstanceOf(HttpBridge);
  });
});

describe('the secret of a link', () => {
  test('is removed from the address at once and returned once', () => {
    history.replaceState(null, '', `/?theme=dark#${secret}`);
    const entries = history.length;
    const page = browserSurroundings();
    expect(page.takeLinkSecret()).toBe(secret);
    expect(location.href).toMatch(/\/\?theme=dark$/);
    expect(history.length).toBe(entries);
    expect(page.takeLinkSecret()).toBeNull();
  });

  test.each(['', '#', '#settings', `#${secret}x`, `#${secret.slice(1)}`, '#../../x'])(
    'is not the content of the fragment "%s", which stays',
    (fragment) => {
      history.replaceState(null, '', `/${fragment}`);
      expect(browserSurroundings().takeLinkSecret()).toBeNull();
      expect(location.href).toMatch(new RegExp(`/${fragment.replaceAll('.', '\\.')}$`));
    },
  );

  test('is received when a link is opened in a tab that already has the page', () => {
    const heard = vi.fn();
    browserSurroundings().onLink(heard);
    window.dispatchEvent(new HashChangeEvent('hashchange'));
    expect(heard).toHaveBeenCalledOnce();
  });
});

test('a browser without site data keeps a session until the next reload', () => {
  vi.spyOn(window, 'sessionStorage', 'get').mockImplementation(() => {
    throw new DOMException('denied', 'SecurityError');
  });
  const { storage } = browserSurroundings();
  expect(storage.getItem('vitrine-session')).toBeNull();
  storage.setItem('vitrine-session', 'key');
  expect(storage.getItem('vitrine-session')).toBe('key');
});

test('an export address stays in its folder for any id', () => {
  expect(exportUrl('0af1')).toBe('/export/0af1');
  expect(exportUrl('../call/x')).toBe('/export/..%2Fcall%2Fx');
});
