import { createHash } from 'node:crypto';

const versionByte = 6;
const variantByte = 8;
const uuidBytes = 16;

/** A UUID that is the same for the same name (RFC 9562, 5.5). */
export function uuidV5(namespace: string, name: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name, 'utf8')
    .digest()
    .subarray(0, uuidBytes);
  bytes.writeUInt8((bytes.readUInt8(versionByte) & 0x0f) | 0x50, versionByte);
  bytes.writeUInt8((bytes.readUInt8(variantByte) & 0x3f) | 0x80, variantByte);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

/** Drawn once, for whatever cases name. */
const namespaceOfCases = '6f1c1b9e-6c6e-4d0a-9a55-0d9d3b1a7c42';

/**
 * Names the same thing alike in every export, so that taking one in again changes what is there and doubles nothing.
 */
export const caseUuid = (...parts: readonly string[]): string => uuidV5(namespaceOfCases, JSON.stringify(parts));
