import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import type { Json } from '../../../shared/domain/sample.ts';
import { FailureError, type FailureKind } from '../../../shared/failure.ts';
import { changedJson, jsonOfNames } from '../../../shared/testing/changed-json.ts';
import { changedText } from '../../../shared/testing/changed-text.ts';
import { type InputForm, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { textForm } from '../../../shared/testing/input-forms.ts';
import { createRedaction } from '../../base/redaction.ts';
import type { CallFacts } from '../call.ts';

/** The token of the calls that are attacked: it must be in nothing that is given. */
export const secret = 'SECRETSECRETSECRET';
export const facts: CallFacts = {
  service: 'repository',
  address: 'https://repo.example/api.php',
  action: 'getfile',
  hashes: [],
  hasToken: true,
  redaction: createRedaction([secret]),
};
export const replyOf = (text: string, status = 200): { status: number; body: Uint8Array } => ({
  status,
  body: Buffer.from(text),
});

const around = [
  '',
  '\ufeff',
  '<br />\n<b>Warning</b>: x in y.php on line 3',
  '<!DOCTYPE html>',
  'Notice: Array [0]',
  ' \r\n',
  '{}',
  '//',
  ")]}',",
];
const jsonWords = [
  '{',
  '}',
  '[',
  ']',
  ':',
  ',',
  '"',
  '\\"',
  '\\u0000',
  '\\ud800',
  'null',
  'true',
  '1e999',
  '-0',
  '""',
  '[]',
  '{}',
  '1',
];
const secrets: readonly Json[] = [
  secret,
  secret.toLowerCase(),
  `x${secret}x`,
  Buffer.from(secret).toString('base64'),
  Buffer.from(secret).toString('hex'),
  [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
];

export interface ReplyInputs {
  form: InputForm<string>;
  seeds: readonly string[];
  made: fc.Arbitrary<string>;
}

/**
 * Bodies of replies: JSON of the names that a reader knows, sound ones changed as JSON and as text, with or without
 * something around it.
 */
export function replyInputs(names: readonly string[], values: readonly Json[], sound: readonly Json[]): ReplyInputs {
  const seeds = sound.map((json) => JSON.stringify(json));
  const words = [...jsonWords, ...names.map((name) => `"${name}":`)];
  const written = jsonOfNames(names, [...values, ...secrets]).map((json) => JSON.stringify(json));
  const wrapped = fc
    .tuple(fc.constantFrom(...around), written, fc.constantFrom(...around))
    .map((parts) => parts.join(''));
  const changed = (from: readonly string[]): fc.Arbitrary<string> =>
    fc.oneof(
      {
        weight: 3,
        arbitrary: changedJson(from.flatMap(parsed), names, [...values, ...secrets]).map((json) =>
          JSON.stringify(json),
        ),
      },
      { weight: 1, arbitrary: changedText(from, words) },
    );
  return {
    form: { ...textForm(words), changed },
    seeds,
    made: fc.oneof({ weight: 5, arbitrary: written }, { weight: 1, arbitrary: wrapped }),
  };
}

function parsed(text: string): Json[] {
  try {
    // What JSON.parse gives is JSON by definition.
    return [JSON.parse(text) as Json];
  } catch {
    return [null];
  }
}

/** What a reader returns, or undefined where it failed in one of its documented ways. */
export function readOrFailed<T>(read: () => T, kinds: readonly FailureKind[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    mustHold(kinds.includes(error.failure.kind), `it fails with ${error.failure.kind}`);
    mustBeWithoutSecret(error.failure);
    return undefined;
  }
}

/** Nothing that is kept or shown contains the token, in any form that it can be read from. */
export function mustBeWithoutSecret(given: unknown): void {
  mustHold(!JSON.stringify(given).toLowerCase().includes(secret.toLowerCase()), 'the token is in it');
}
