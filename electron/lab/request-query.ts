import { LabError } from './errors.ts';

export interface RequestParameters {
  /** Each given at most once. */
  parameters: ReadonlyMap<string, string>;
  /** What was given as `name[]`, in its order, by `name`. */
  lists: ReadonlyMap<string, readonly string[]>;
}

/** A request's target: its path as sent, and its parameters. */
export interface RequestTarget extends RequestParameters {
  path: string;
}

/**
 * Reads an origin-form request target (RFC 9112, section 3.2.1). A parameter given twice is refused: servers differ
 * on which one wins, and a check made on one of them must not let the other through. `name[]` repeats by its nature.
 */
export function readTarget(url: string): RequestTarget {
  if (!url.startsWith('/')) throw new LabError('bad-request', 'The request target is not a path.');
  const [path = '', ...rest] = url.split('?');
  return { path, ...readParameters(rest.join('?')) };
}

function readParameters(query: string): RequestParameters {
  const parameters = new Map<string, string>();
  const lists = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.endsWith('[]')) {
      append(lists, name.slice(0, -2), value);
      continue;
    }
    if (parameters.has(name)) throw new LabError('repeated-parameter', 'A parameter is given more than once.');
    parameters.set(name, value);
  }
  return { parameters, lists };
}

function append(lists: Map<string, string[]>, name: string, value: string): void {
  const list = lists.get(name);
  if (list === undefined) lists.set(name, [value]);
  else list.push(value);
}

/** An MD5 in lower case. Upper case is taken too: the case of a hex digit says nothing. */
export function md5Parameter(parameters: ReadonlyMap<string, string>, name: string): string {
  return givenMd5(parameters.get(name), name);
}

/** The same for a value that may come from elsewhere. */
export function givenMd5(value: string | null | undefined, name: string): string {
  if (!value) throw new LabError('missing-parameter', `The parameter "${name}" is missing.`);
  return readMd5(value, name);
}

/** The MD5s of a list, each once, in the order of their first mention. */
export function md5List(lists: RequestParameters['lists'], name: string): string[] {
  const values = lists.get(name);
  if (values === undefined) throw new LabError('missing-parameter', `The parameter "${name}[]" is missing.`);
  return [...new Set(values.map((value) => readMd5(value, `${name}[]`)))];
}

function readMd5(value: string, name: string): string {
  if (!/^[0-9a-f]{32}$/i.test(value))
    throw new LabError('bad-parameter', `"${name}" is not an MD5: 32 hexadecimal characters.`);
  return value.toLowerCase();
}
