import type { Buffer } from 'node:buffer';
import { FailureError, type Failure } from '../../shared/failure.ts';
import type { CallFacts } from './call.ts';
import type { OpenReply } from './client.ts';
import { failureInsteadOfBytes, followedBy, shortReply, withoutStrayBytes } from './first-bytes.ts';
import { parseJson } from './replies/read-json-reply.ts';
import type { ByteReply } from './repository-api.ts';

/**
 * Hands on the bytes of a rule package, stray ones behind them included, unless they are a service's words under status
 * 200 (docs/services.md, "downloadpublication"). A file of rules is a package too: short text is taken for words when
 * no rule begins in it.
 */
export async function packageBytes(reply: OpenReply): Promise<ByteReply> {
  const { expectedBytes, chunks, facts } = reply;
  const { pieces, whole } = await shortReply(reply);
  if (whole === null) return { expectedBytes, chunks: followedBy(pieces, chunks) };
  const failure = failureInsteadOfBytes(whole, facts) ?? failureOfWords(withoutStrayBytes(whole), facts);
  if (failure) throw new FailureError(failure);
  return { expectedBytes, chunks: followedBy(pieces) };
}

function failureOfWords(body: Buffer, { service, address, redaction }: CallFacts): Failure | null {
  const text = printableText(body);
  const isPackage = text === null || (beginsRule(text) && parseJson(text) === undefined);
  return isPackage ? null : { kind: 'request-refused', service, address, status: 200, text: redaction.excerpt(body) };
}

/** null for what is no text: not UTF-8, or with control characters other than white space. */
function printableText(body: Buffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    return /[^\P{Cc}\t\n\f\r]/u.test(text) ? null : text;
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** Comments and strings, closed or not: a pattern that always matches where it begins takes linear time. */
const notCode = /\/\*[^]*?(?:\*\/|$)|\/\/[^\n]*|"(?:\\.|[^"\\\n])*"?/g;

/** Whether a YARA rule begins somewhere outside of comments and strings: `rule`, its name, maybe tags, and a brace. */
const beginsRule = (text: string): boolean =>
  /\brule\s+[A-Za-z_]\w{0,127}\s*(?::[\s\w]*)?\{/.test(text.replace(notCode, ' '));
