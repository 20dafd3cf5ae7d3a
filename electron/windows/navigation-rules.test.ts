import { EventEmitter } from 'node:events';
import { describe, expect, test } from 'vitest';
import { type ContentsPort, denyNavigation, denyNetwork, denyPermissions, type SessionPort } from './page-security.ts';
import { emitter, preventable } from './stand-ins.fixture.ts';

describe('navigation', () => {
  function contents() {
    const asked: string[] = [];
    let openWindow: Parameters<ContentsPort['setWindowOpenHandler']>[0] = () => {
      throw new Error('no handler was set');
    };
    const stand = emitter({ setWindowOpenHandler: (handler: typeof openWindow) => void (openWindow = handler) });
    denyNavigation(stand, (address) => asked.push(address));
    return { stand, asked, openWindow: (url: string) => openWindow({ url }) };
  }

  test.each([
    ['our page again', 'vitrine-page://vitrine/', true, false],
    ['a site', 'https://example.com/', true, true],
    ['a file', 'file:///etc/passwd', true, true],
    ['a script', 'javascript:alert(1)', true, true],
    ['data', 'data:text/html,hello', true, true],
    ['a frame, even of our page', 'vitrine-page://vitrine/', false, true],
  ])('to %s', (_where, url, isMainFrame, isDenied) => {
    const event = preventable({ url, isMainFrame });
    contents().stand.emit('will-frame-navigate', event);
    expect(event.wasPrevented).toBe(isDenied);
  });

  test.each(['will-redirect', 'will-attach-webview'])('%s is denied', (name) => {
    const event = preventable({});
    contents().stand.emit(name, event);
    expect(event.wasPrevented).toBe(true);
  });

  test('no window opens; its address is passed on', () => {
    const { openWindow, asked } = contents();
    expect(openWindow('https://example.com/a')).toEqual({ action: 'deny' });
    expect(asked).toEqual(['https://example.com/a']);
  });
});

describe('session', () => {
  class StandInSession extends EventEmitter implements SessionPort {
    request: Parameters<SessionPort['setPermissionRequestHandler']>[0] | null = null;
    check: Parameters<SessionPort['setPermissionCheckHandler']>[0] | null = null;
    device: (() => boolean) | null = null;
    beforeRequest: Parameters<SessionPort['webRequest']['onBeforeRequest']>[0] | null = null;
    setPermissionRequestHandler = (handler: StandInSession['request']): void => void (this.request = handler);
    setPermissionCheckHandler = (handler: StandInSession['check']): void => void (this.check = handler);
    setDevicePermissionHandler = (handler: () => boolean): void => void (this.device = handler);
    webRequest = {
      onBeforeRequest: (listener: StandInSession['beforeRequest']): void => void (this.beforeRequest = listener),
    };
  }

  test.each([
    ['clipboard-sanitized-write', 'vitrine-page://vitrine/', true],
    ['clipboard-sanitized-write', 'https://example.com/', false],
    ['clipboard-read', 'vitrine-page://vitrine/', false],
    ['media', 'vitrine-page://vitrine/', false],
    ['openExternal', 'vitrine-page://vitrine/', false],
    ['notifications', 'vitrine-page://vitrine/', false],
    ['fileSystem', 'vitrine-page://vitrine/', false],
    ['anything new', 'vitrine-page://vitrine/', false],
  ])('%s for %s', (permission, address, isGranted) => {
    const session = new StandInSession();
    denyPermissions(session);
    const answers: boolean[] = [];
    session.request?.(null, permission, (granted) => answers.push(granted), { requestingUrl: address });
    expect([...answers, session.check?.(null, permission, address)]).toEqual([isGranted, isGranted]);
  });

  test('no device, and nothing for a request without an address', () => {
    const session = new StandInSession();
    denyPermissions(session);
    const answers: boolean[] = [];
    session.request?.(null, 'clipboard-sanitized-write', (granted) => answers.push(granted), {});
    expect([...answers, session.device?.()]).toEqual([false, false]);
  });

  test.each([
    ['vitrine-page://vitrine/assets/index.js', false],
    ['data:image/png;base64,AA', false],
    ['https://example.com/', true],
    ['http://127.0.0.1:47117/', true],
    ['ws://127.0.0.1/', true],
    ['file:///etc/passwd', true],
  ])('a request to %s', (url, isCancelled) => {
    const session = new StandInSession();
    denyNetwork(session);
    const answers: object[] = [];
    session.beforeRequest?.({ url }, (answer) => answers.push(answer));
    expect(answers).toEqual([{ cancel: isCancelled }]);
  });

  test('the page saves nothing', () => {
    const session = new StandInSession();
    denyNetwork(session);
    const event = preventable({});
    session.emit('will-download', event);
    expect(event.wasPrevented).toBe(true);
  });
});
