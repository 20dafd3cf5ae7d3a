/**
 * What `node:crypto` can do on Electron and on Node alike. Electron's is made with BoringSSL instead of OpenSSL.
 * Source: `getHashes()`, `getCiphers()`, `getCurves()` and one call of each function, asked of Electron 33.2.1 with
 * ELECTRON_RUN_AS_NODE=1, without what OpenSSL 3 keeps back in Node (MD4, DES, RC2, RC4, Blowfish).
 */
const digestNames = ['md5', 'ripemd160', 'sha1', 'sha224', 'sha256', 'sha384', 'sha512', 'sha512-256'];
const withRsa = ['RSA-MD5', 'RSA-SHA1', 'RSA-SHA224', 'RSA-SHA256', 'RSA-SHA384', 'RSA-SHA512'];

/** Electron takes them in small letters or in capitals, while Node also takes a mixture. */
export const digests: readonly string[] = [...digestNames, ...inCapitals(digestNames), ...withRsa];

const cipherNames = [
  'aes-128-cbc',
  'aes-128-ctr',
  'aes-128-ecb',
  'aes-128-gcm',
  'aes-128-ofb',
  'aes-192-cbc',
  'aes-192-ctr',
  'aes-192-ecb',
  'aes-192-gcm',
  'aes-192-ofb',
  'aes-256-cbc',
  'aes-256-ctr',
  'aes-256-ecb',
  'aes-256-gcm',
  'aes-256-ofb',
];

/** Electron takes any case, and the check these two. */
export const ciphers: readonly string[] = [...cipherNames, ...inCapitals(cipherNames)];

/** As OpenSSL names them, which is all that `createECDH` takes, and as NIST does. */
export const curves = ['prime256v1', 'secp224r1', 'secp384r1', 'secp521r1', 'P-256', 'P-384', 'P-521'] as const;

/** Of a JSON Web Key (RFC 7518, RFC 8037). */
export const keyCurves = ['P-256', 'P-384', 'P-521', 'Ed25519', 'X25519'] as const;

export const keyPairs = ['rsa', 'ec', 'ed25519', 'x25519'] as const;

export const secretKeys = ['hmac', 'aes'] as const;

/** A function that takes the name of an algorithm: which argument it is, and which names there are. */
export interface NamedAlgorithm {
  argument: number;
  names: readonly string[];
  /** null means the digest that belongs to the kind of key. */
  mayBeNull?: true;
}

const digestAt = (argument: number): NamedAlgorithm => ({ argument, names: digests });

export const functionsWithNames: Readonly<Record<string, NamedAlgorithm>> = {
  createHash: digestAt(0),
  hash: digestAt(0),
  createHmac: digestAt(0),
  hkdf: digestAt(0),
  hkdfSync: digestAt(0),
  pbkdf2: digestAt(4),
  pbkdf2Sync: digestAt(4),
  createSign: digestAt(0),
  createVerify: digestAt(0),
  sign: { ...digestAt(0), mayBeNull: true },
  verify: { ...digestAt(0), mayBeNull: true },
  createCipheriv: { argument: 0, names: ciphers },
  createDecipheriv: { argument: 0, names: ciphers },
  getCipherInfo: { argument: 0, names: ciphers },
  generateKeyPair: { argument: 0, names: keyPairs },
  generateKeyPairSync: { argument: 0, names: keyPairs },
  generateKey: { argument: 0, names: secretKeys },
  generateKeySync: { argument: 0, names: secretKeys },
  createECDH: { argument: 0, names: curves },
};

/** Options that name an algorithm, whichever function takes them. */
export const optionsWithNames: Readonly<Record<string, readonly string[]>> = {
  namedCurve: curves,
  crv: keyCurves,
  cipher: ciphers,
  oaepHash: digests,
  hashAlgorithm: digests,
  mgf1HashAlgorithm: digests,
};

/** They name none, and are there in both. */
export const functionsWithoutNames: readonly string[] = [
  'KeyObject',
  'X509Certificate',
  'constants',
  'createPrivateKey',
  'createPublicKey',
  'createSecretKey',
  'randomBytes',
  'randomFill',
  'randomFillSync',
  'randomInt',
  'randomUUID',
  'scrypt',
  'scryptSync',
  'timingSafeEqual',
];

function inCapitals(names: readonly string[]): string[] {
  return names.map((name) => name.toUpperCase());
}
