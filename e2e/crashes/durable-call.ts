/** A call of the system that changes what is on a disk, or brings it there. */
export type DurableVerb = 'make' | 'write' | 'truncate' | 'sync' | 'rename' | 'link' | 'remove';

export interface DurableCall {
  /**
   * `ask`: a request leaves for a service, which changes no disk here; but what it was sent for should be on the disk
   * by then.
   */
  verb: DurableVerb | 'ask';
  /** The file or folder; of a rename, what it was; of a request, the socket. */
  path: string;
  /** Of a rename and a link: what it is from now on. */
  to: string | null;
}

/** By the names of the system, as strace knows them. */
const verbOf: ReadonlyMap<string, DurableVerb> = new Map([
  ['mkdir', 'make'],
  ['mkdirat', 'make'],
  ['write', 'write'],
  ['writev', 'write'],
  ['pwrite64', 'write'],
  ['pwritev', 'write'],
  ['copy_file_range', 'write'],
  ['sendfile', 'write'],
  ['ftruncate', 'truncate'],
  ['fsync', 'sync'],
  ['fdatasync', 'sync'],
  ['rename', 'rename'],
  ['renameat', 'rename'],
  ['renameat2', 'rename'],
  ['link', 'link'],
  ['linkat', 'link'],
  ['unlink', 'remove'],
  ['unlinkat', 'remove'],
  ['rmdir', 'remove'],
]);

/** The system's names of what does this, joined by commas. */
export const systemCalls = (verb: DurableVerb): string =>
  Array.from(verbOf)
    .flatMap(([name, does]) => (does === verb ? [name] : []))
    .join(',');

/** Those of all that a `CallReader` is to read. */
export const callsToRead = ['connect', ...verbOf.keys()].join(',');

/** A line of strace, or its second half where another thread came between: who, and what is left of it. */
const line = /^(?<thread>\d+) +(?:<\.\.\. (?<resumed>\w+) resumed>|(?<begun>\w+)\()(?<rest>.*)$/;
const unfinished = ' <unfinished ...>';

/**
 * Reads strace's log line by line and returns the calls that succeeded, each when it ended: those that change a disk,
 * and requests to services.
 */
export class CallReader {
  /** What a thread has begun. */
  readonly #begun = new Map<string, string>();
  /** Sockets that the program connected to a service. */
  readonly #connected = new Set<string>();

  read(text: string): { thread: string; call: DurableCall } | null {
    const found = line.exec(text)?.groups;
    if (found === undefined) return null;
    const { thread = '', begun, resumed, rest = '' } = found;
    const name = begun ?? resumed ?? '';
    if (rest.endsWith(unfinished)) {
      this.#begun.set(thread, rest.slice(0, -unfinished.length));
      return null;
    }
    const whole = begun === undefined ? (this.#begun.get(thread) ?? '') + rest : rest;
    if (name === 'connect' && whole.includes('sa_family=AF_INET'))
      for (const socket of openedIn(whole)) this.#connected.add(socket);
    const call = durableCall(name, whole);
    if (call === null) return null;
    return { thread, call: this.#connected.has(call.path) ? { ...call, verb: 'ask' } : call };
  }
}

/** The paths of the descriptors of a call. */
const openedIn = (whole: string): string[] => Array.from(whole.matchAll(/\b\d+<([^>]*)>/g), ([, path = '']) => path);

function durableCall(name: string, whole: string): DurableCall | null {
  const verb = verbOf.get(name);
  if (verb === undefined || !/\) += \d/.test(whole)) return null;
  const quoted = Array.from(whole.matchAll(/"((?:[^"\\]|\\.)*)"/g), ([, path = '']) => path);
  const opened = openedIn(whole);
  const named = verb === 'sync' || verb === 'truncate' || verb === 'write';
  const [path, to = null] = named ? [opened.at(name === 'copy_file_range' ? 1 : 0)] : quoted;
  return path === undefined ? null : { verb, path, to };
}

/**
 * What a call is about, whichever sample, job, run or service it was: `rename vault/incoming/ID.part →
 * vault/AB/SHA256`.
 */
export function nameOf({ verb, path, to }: DurableCall, folder: string): string {
  if (verb === 'ask') return verb;
  return to === null ? `${verb} ${placeOf(path, folder)}` : `${verb} ${placeOf(path, folder)} → ${placeOf(to, folder)}`;
}

/** A path in a folder, without what differs from run to run. */
export function placeOf(path: string, folder: string): string {
  if (path === folder) return '.';
  const within = path.slice(folder.length + 1);
  const parts = within.split('/').map((part) =>
    part
      .replace(/^\d{8}T\d{6}Z/, 'TIME')
      .replaceAll(/[0-9a-f]{64}/g, 'SHA256')
      .replaceAll(/[0-9a-f]{12,32}/g, 'ID')
      .replace(/^[0-9a-f]{2}$/, 'AB'),
  );
  return parts.join('/');
}
