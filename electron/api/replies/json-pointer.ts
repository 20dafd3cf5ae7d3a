import type { Json } from '../../../shared/domain/sample.ts';

/** The names a pointer goes through (RFC 6901, 3); null for a text that is no pointer. */
export function pointerNames(pointer: string): string[] | null {
  if (pointer === '') return [];
  if (!pointer.startsWith('/') || /~(?![01])/.test(pointer)) return null;
  return pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The value a pointer leads to (RFC 6901, 4); undefined when there is none. */
export function valueAt(document: Json, pointer: string): Json | undefined {
  return pointerNames(pointer)?.reduce<Json | undefined>(member, document);
}

function member(value: Json | undefined, name: string): Json | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/.test(name) ? value[Number(name)] : undefined;
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
