import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

/** The engines that the runtime of the tests has: Electron 33 is Chromium 130 with Node 20. */
export const olderTargets = { host: 'node20', page: 'chrome130' } as const;

/** Functions of the language that V8 13.0 lacks; each file of the host begins with them. */
const language = `
RegExp.escape ??= (text) => text.replace(/[\\\\^$.*+?()[\\]{}|\\/-]/g, '\\\\$&');
Error.isError ??= (value) => value instanceof Error;
for (const encoding of ['hex', 'base64']) {
  const name = encoding[0].toUpperCase() + encoding.slice(1);
  Uint8Array['from' + name] ??= (text) => new Uint8Array(Buffer.from(text, encoding));
  Uint8Array.prototype['to' + name] ??= function () {
    return Buffer.from(this.buffer, this.byteOffset, this.byteLength).toString(encoding);
  };
}`;

/** Modules that Node 20 has, with what it lacks of them put beside what the host takes of them. */
const completed: Readonly<Record<string, string>> = {
  'node:tls': `
import { rootCertificates } from 'node:tls';
export { connect, createSecureContext, createServer, TLSSocket } from 'node:tls';
export const getCACertificates = (kind) => (kind === 'bundled' ? [...rootCertificates] : []);`,
  'node:module': `
export { createRequire } from 'node:module';
export const flushCompileCache = () => {};
export const enableCompileCache = () => ({});`,
};

/** What Electron 33 lacks of its keychain; the desktop's entry, which imports it, begins with this. */
const keychain = `
safeStorage.isAsyncEncryptionAvailable ??= async () => safeStorage.isEncryptionAvailable();
safeStorage.encryptStringAsync ??= async (text) => safeStorage.encryptString(text);
safeStorage.decryptStringAsync ??= async (bytes) =>
  ({ result: safeStorage.decryptString(bytes), shouldReEncrypt: false });
`;
const prefix = '\0completed:';

/**
 * Adds to a build of the host all that the older runtime of the tests lacks, so that the program itself does not know
 * of it. `sqlite`: the module that replaces `node:sqlite`, loaded from its own place.
 */
export function olderRuntime({ sqlite }: { sqlite: string }): Plugin {
  return {
    name: 'older-runtime',
    enforce: 'pre',
    resolveId(specifier, importer) {
      if (specifier === 'node:sqlite') return { id: pathToFileURL(sqlite).href, external: true };
      if (!Object.hasOwn(completed, specifier)) return null;
      return importer?.startsWith(prefix) === true ? { id: specifier, external: true } : `${prefix}${specifier}`;
    },
    load: (id) => (id.startsWith(prefix) ? (completed[id.slice(prefix.length)] ?? null) : null),
    transform: (code, id) => (/[\\/]electron[\\/]main\.ts$/.test(id) ? `${keychain}${code}` : null),
    renderChunk: (code) => `${language}\n${code}`,
  };
}

/** What stays outside a build of the host, but for what the plugin above takes care of. */
export const isOutside = (specifier: string): boolean =>
  /^(?:node:|electron$|electron\/)/.test(specifier) &&
  specifier !== 'node:sqlite' &&
  !Object.hasOwn(completed, specifier);

/** `focus({ focusVisible: true })`, which Chromium 130 does not know: the page's styles draw this attribute, too. */
const drawnFocus = `
const focus = HTMLElement.prototype.focus;
HTMLElement.prototype.focus = function (options) {
  if (options?.focusVisible === true) {
    this.setAttribute('data-focus-visible', '');
    this.addEventListener('blur', () => this.removeAttribute('data-focus-visible'), { once: true });
  }
  focus.call(this, options);
};
`;

/** The same for the page. */
export const olderPage: Plugin = {
  name: 'older-page',
  transform: (code, id) => (/[\\/]renderer[\\/]main\.tsx$/.test(id) ? `${code}${drawnFocus}` : null),
};
