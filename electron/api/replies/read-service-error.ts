import type { Json } from '../../../shared/domain/sample.ts';
import { parseJson } from './read-json-reply.ts';
import { textOf } from './reply-text.ts';

/** An error as services put it in JSON: `{"error": {"code", "message"}}` or `{"error": "text"}`. */
export interface ServiceError {
  code: string | null;
  message: string | null;
}

/** null when the JSON is no error. */
export function readServiceError(value: Json | undefined): ServiceError | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, 'error'))
    return null;
  const error = value['error'];
  if (typeof error === 'string' && error !== '') return { code: null, message: error };
  if (typeof error !== 'object' || error === null || Array.isArray(error)) return null;
  return { code: textMember(error, 'code'), message: textMember(error, 'message') };
}

export function readServiceErrorBytes(bytes: Uint8Array): ServiceError | null {
  return readServiceError(parseJson(textOf(bytes)));
}

function textMember(value: { [key: string]: Json }, name: string): string | null {
  const member = Object.hasOwn(value, name) ? value[name] : null;
  return typeof member === 'string' || typeof member === 'number' ? String(member) : null;
}
