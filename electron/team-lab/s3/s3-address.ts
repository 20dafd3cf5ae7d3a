import { readFileSync } from 'node:fs';
import { OperatorError } from '../../lab/errors.ts';

/** Where a bucket is, without the keys to it. */
export interface S3Address {
  isSecure: boolean;
  /** As the store reads it in the `Host` header. */
  host: string;
  bucket: string;
  /** In front of each key: empty, or ending in `/`. */
  prefix: string;
  region: string;
}

export interface S3Keys {
  accessKeyId: string;
  secretAccessKey: string;
}

const usualRegion = 'us-east-1';
/** Path-style addresses put the bucket into a path, so nothing in it needs an escape. */
const bucketName = /^[a-zA-Z0-9][a-zA-Z0-9._-]{1,61}[a-zA-Z0-9]$/;
const prefixPart = /^(?!\.{1,2}$)[a-zA-Z0-9._-]+$/;
const regionName = /^[a-zA-Z0-9-]{1,64}$/;
const forms = 's3://HOST[:PORT]/BUCKET[/PREFIX][?region=NAME], or s3+http:// without TLS';

/**
 * Reads the address of a bucket. Keys have no place in it: addresses are seen in lists of processes and in logs.
 *
 * @throws S3AddressError
 */
export function readS3Address(text: string): S3Address {
  // Generic parsing of `s3:` leaves the host's case and escapes as they are: as an HTTP address it is checked.
  const [, scheme, rest] = /^(s3|s3\+http):\/\/(.+)$/.exec(text) ?? [];
  if (scheme === undefined || rest === undefined) throw new S3AddressError(`The address of a bucket is ${forms}.`);
  const isSecure = scheme === 's3';
  const address = `${isSecure ? 'https' : 'http'}://${rest}`;
  if (!URL.canParse(address)) throw new S3AddressError(`The address of a bucket is ${forms}.`);
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || rest.includes('@')) {
    throw new S3AddressError(
      'The address of a bucket must not have keys in it. Put them into a file and name it in VITRINE_LAB_S3_KEY_FILE.',
    );
  }
  const [bucket = '', ...parts] = url.pathname.slice(1).replace(/\/$/, '').split('/');
  if (!bucketName.test(bucket)) throw new S3AddressError(`The address names no bucket: ${forms}.`);
  if (!parts.every((part) => prefixPart.test(part)))
    throw new S3AddressError('A prefix has only letters, digits, ".", "_" and "-" between its slashes.');
  return {
    isSecure,
    host: url.host,
    bucket,
    prefix: parts.map((part) => `${part}/`).join(''),
    region: readRegion(url),
  };
}

function readRegion(url: URL): string {
  const { region = usualRegion, ...others } = Object.fromEntries(url.searchParams);
  const [other] = Object.keys(others);
  if (other !== undefined || url.hash !== '')
    throw new S3AddressError('The address of a bucket has no parameter besides "region".');
  if (!regionName.test(region)) throw new S3AddressError('The region has only letters, digits and "-".');
  return region;
}

/** For messages. */
export function shownAddress({ isSecure, host, bucket, prefix }: S3Address): string {
  return `${isSecure ? 's3' : 's3+http'}://${host}/${bucket}${prefix === '' ? '' : `/${prefix.slice(0, -1)}`}`;
}

/**
 * The keys, from the file of two lines that `VITRINE_LAB_S3_KEY_FILE` names, or else from `AWS_ACCESS_KEY_ID` and
 * `AWS_SECRET_ACCESS_KEY`.
 *
 * @throws S3AddressError, which holds nothing of them
 */
export function readS3Keys(environment: Readonly<Record<string, string | undefined>>): S3Keys {
  const { VITRINE_LAB_S3_KEY_FILE: path } = environment;
  if (path !== undefined && path !== '') return keysIn(path);
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment;
  if (accessKeyId !== '' && secretAccessKey !== '') return { accessKeyId, secretAccessKey };
  throw new S3AddressError(
    'The keys of the bucket are missing: name a file of two lines, key ID and secret, in VITRINE_LAB_S3_KEY_FILE.',
  );
}

function keysIn(path: string): S3Keys {
  const lines = textOf(path)
    .split('\n')
    .map((line) => line.trim());
  const [accessKeyId = '', secretAccessKey = '', ...more] = lines;
  if (accessKeyId === '' || secretAccessKey === '' || more.some((line) => line !== ''))
    throw new S3AddressError('The file in VITRINE_LAB_S3_KEY_FILE must have two lines: the key ID and the secret.');
  return { accessKeyId, secretAccessKey };
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new S3AddressError('The file in VITRINE_LAB_S3_KEY_FILE cannot be read.', { cause });
  }
}

/** What a person configured cannot be used. The message is for them. */
export class S3AddressError extends OperatorError {
  override readonly name = 'S3AddressError';
}
