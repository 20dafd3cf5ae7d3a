import { FailureError } from '../../shared/failure.ts';

export type LogValue = null | boolean | number | string | LogValue[] | { [name: string]: LogValue };
export type Redact = (text: string) => string;

const deepest = 4;
const mostItems = 40;
const longestText = 4_000;
const longestStack = 8_000;
const secretName = /token|password|passphrase|secret|authori[sz]ation|cookie/i;

/** Any value as bounded, redacted JSON. Bytes are counted, never shown. */
export function logValueOf(value: unknown, redact: Redact, depth = 0): LogValue {
  if (value === null || value === undefined) return null;
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value);
  if (typeof value === 'object') return objectValue(value, redact, depth);
  return typeof value === 'string' || typeof value === 'bigint'
    ? cut(redact(String(value)), longestText)
    : `[${typeof value}]`;
}

/** Name, message, stack and code of an error, of a failure its facts, and of its causes the same. */
export function logErrorOf(error: unknown, redact: Redact, depth = 0): LogValue {
  if (!(error instanceof Error)) return logValueOf(error, redact, depth);
  if (depth >= deepest) return '[deeper]';
  return {
    name: cut(redact(error.name), longestText),
    message: cut(redact(error.message), longestText),
    stack: cut(redact(error.stack ?? ''), longestStack),
    ...('code' in error && { code: logValueOf(error.code, redact, depth + 1) }),
    ...(error instanceof FailureError && { failure: logValueOf(error.failure, redact, depth + 1) }),
    ...(error instanceof AggregateError && {
      errors: error.errors.slice(0, mostItems).map((one) => logErrorOf(one, redact, depth + 1)),
    }),
    ...(error.cause !== undefined && { cause: logErrorOf(error.cause, redact, depth + 1) }),
  };
}

function objectValue(value: object, redact: Redact, depth: number): LogValue {
  if (depth >= deepest) return '[deeper]';
  if (value instanceof Error) return logErrorOf(value, redact, depth);
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer) return `[${value.byteLength} bytes]`;
  if (value instanceof URL) return cut(redact(value.href), longestText);
  if (Array.isArray(value)) return value.slice(0, mostItems).map((item) => logValueOf(item, redact, depth + 1));
  const entries = Object.entries(value).slice(0, mostItems);
  return Object.fromEntries(
    entries.map(([name, item]) => [cut(redact(name), longestText), namedValue(name, item, redact, depth)]),
  );
}

/** What calls itself a secret is not shown, whether it is a known one or not. */
function namedValue(name: string, value: unknown, redact: Redact, depth: number): LogValue {
  return secretName.test(name) && typeof value === 'string' ? '[removed]' : logValueOf(value, redact, depth + 1);
}

const cut = (text: string, length: number): string =>
  text.length > length ? `${text.slice(0, length)}… [${text.length} characters]` : text;
