import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { z } from 'zod';

/** Ed25519 (RFC 8032). Public keys and signatures are the bare bytes, in hex. */
const publicJwk = z.object({ x: z.string() });
const context = Buffer.from('vitrine bundle 1\0', 'latin1');

/** @returns a new private key, as PKCS #8 in base64 */
export function newSigningKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ format: 'der', type: 'pkcs8' }).toString('base64');
}

export const publicKeyOf = (signingKey: string): string =>
  Buffer.from(
    publicJwk.parse(createPublicKey(privateKey(signingKey)).export({ format: 'jwk' })).x,
    'base64url',
  ).toString('hex');

/** What people compare: the SHA-256 of the public key. */
export const fingerprintOf = (publicKey: string): string => hash('sha256', Buffer.from(publicKey, 'hex'));

/** `digest`: the SHA-256 of all that is signed. */
export const signatureOf = (digest: Uint8Array, signingKey: string): Buffer =>
  sign(null, Buffer.concat([context, digest]), privateKey(signingKey));

export function isSignedBy(publicKey: string, digest: Uint8Array, signature: Uint8Array): boolean {
  return verify(
    null,
    Buffer.concat([context, digest]),
    { key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(publicKey, 'hex').toString('base64url') }, format: 'jwk' },
    signature,
  );
}

const privateKey = (signingKey: string): KeyObject =>
  createPrivateKey({ key: Buffer.from(signingKey, 'base64'), format: 'der', type: 'pkcs8' });
