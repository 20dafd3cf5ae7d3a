import { LabError } from './errors.ts';

/** A request's target: its path as sent, and its parameters, each given at most once. */
export interface RequestTarget {
  path: string;
  parameters: ReadonlyMap<string, string>;
}

/**
 * Reads an origin-form request target (RFC 9112, section 3.2.1). A parameter given twice is refused: servers differ
 * on which one wins, and a check made on one of them must not let the other through. `name[]` may repeat by its nature
 * and is kept out of the map until an action takes lists.
 */
export function readTarget(url: string): RequestTarget {
  if (!url.startsWith('/')) throw new LabError('bad-request', 'The request target is not a path.');
  const [path = '', ...rest] = url.split('?');
  return { path, parameters: readParameters(rest.join('?')) };
}

function readParameters(query: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(query)) {
    if (name.endsWith('[]')) continue;
    if (parameters.has(name)) throw new LabError('repeated-parameter', 'A parameter is given more than once.');
    parameters.set(name, value);
  }
  return parameters;
}

/** An MD5 in lower case. Upper case is taken too: the case of a hex digit says nothing. */
export function md5Parameter(parameters: ReadonlyMap<string, string>, name: string): string {
  const value = parameters.get(name);
  if (value === undefined || value === '') throw new LabError('missing-parameter', `The parameter "${name}" is missing.`);
  if (!/^[0-9a-f]{32}$/i.test(value)) throw new LabError('bad-parameter', `"${name}" is not an MD5: 32 hexadecimal characters.`);
  return value.toLowerCase();
}
