/** What was asked about is not in memory: it is to be loaded, and then asked about again. */
export class NotLoadedError extends Error {
  readonly key: string;

  constructor(key: string) {
    super(`no package is loaded as ${JSON.stringify(key)}`);
    this.name = 'NotLoadedError';
    this.key = key;
  }
}
