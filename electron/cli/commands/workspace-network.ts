import { Buffer } from 'node:buffer';
import {
  keptFront,
  keptProxy,
  longestAuthorityBytes,
  longestCertificateBytes,
  type PasswordChange,
  readProxyAddress,
  type Trust,
  type WorkspaceDraft,
  type WorkspaceView,
} from '../../../shared/domain/workspace.ts';
import type { CommandRun, Flags } from '../command.ts';
import { wrongUsage } from '../exit.ts';
import { fileBytes, fileText, type NamedFile } from '../file-input.ts';
import { textOf } from '../option-values.ts';
import { givenSecret } from '../secret-input.ts';

type Network = Pick<WorkspaceDraft, 'proxy' | 'front'>;
type Certificate = WorkspaceDraft['front']['clientCertificate'];

const proxyPassword = { option: 'proxy-password-file', variable: 'VITRINE_PROXY_PASSWORD' };
const basicPassword = { option: 'basic-password-file', variable: 'VITRINE_BASIC_PASSWORD' };
const keyPassphrase = { option: 'client-key-passphrase-file', variable: 'VITRINE_CLIENT_KEY_PASSPHRASE' };

/** What a workspace needs on the way to its services. */
export const networkFlags: Flags = {
  authority: {
    value: 'FILE',
    text: 'custom certificate authority (PEM or DER), in addition to those of the system',
  },
  pin: { value: 'SHA-256', text: 'fingerprint of the only accepted certificate' },
  proxy: {
    value: 'PROXY',
    text:
      'automatic (environment and system), none, or the address of a proxy: http, https, socks5 or socks5h, such as ' +
      'http://user@proxy.example:3128',
  },
  [proxyPassword.option]: {
    value: 'FILE',
    text: `password of the proxy; - for stdin; or set ${proxyPassword.variable}`,
  },
  'basic-user': {
    value: 'NAME',
    text: 'user name that a web server in front of the services requires; "" removes it with its password',
  },
  [basicPassword.option]: {
    value: 'FILE',
    text: `its password; - for stdin; or set ${basicPassword.variable}`,
  },
  'client-certificate': { value: 'FILE', text: 'client certificate (PEM); "" removes it with its key' },
  'client-key': { value: 'FILE', text: 'its private key (PEM), unless the certificate file has it' },
  'client-pkcs12': { value: 'FILE', text: 'client certificate with its key as a PKCS#12 file (.p12, .pfx)' },
  [keyPassphrase.option]: {
    value: 'FILE',
    text: `passphrase of the key or of the PKCS#12 file; - for stdin; or set ${keyPassphrase.variable}`,
  },
};

/** `before`: null for a new workspace. What no option names stays as it is. */
export async function networkOf(run: CommandRun, before: WorkspaceView | null): Promise<Network> {
  requireOneStdin(run);
  const kept = before?.front ?? { basic: null, clientCertificate: null };
  return {
    proxy: await proxyOf(run, before?.proxy ?? { kind: 'automatic' }),
    front: {
      basic: await basicOf(run, kept.basic),
      clientCertificate: (await certificateOf(run)) ?? keptFront(kept).clientCertificate,
    },
  };
}

/** @throws UsageError for several secrets that would be read from the same input */
function requireOneStdin({ options }: CommandRun): void {
  const places = [proxyPassword, basicPassword, keyPassphrase].filter(({ option }) => textOf(options, option) === '-');
  if (places.length > 1) wrongUsage(`only one of ${places.map(({ option }) => `--${option}`).join(' and ')} can be -`);
}

async function proxyOf(run: CommandRun, before: WorkspaceView['proxy']): Promise<WorkspaceDraft['proxy']> {
  const typed = textOf(run.options, 'proxy');
  const secret = await givenSecret(run, proxyPassword);
  const chosen = typed === null ? keptProxy(before) : typedProxy(typed, before);
  if (secret === null) return chosen;
  if (chosen.kind !== 'fixed' || chosen.username === null)
    return isOption(run, proxyPassword.option)
      ? wrongUsage('a proxy password needs a proxy with a user name: --proxy http://user@host:port')
      : chosen;
  return { ...chosen, password: setTo(secret) };
}

function typedProxy(typed: string, before: WorkspaceView['proxy']): WorkspaceDraft['proxy'] {
  const word = typed.trim().toLowerCase();
  if (word === 'automatic' || word === 'none') return { kind: word };
  const read =
    readProxyAddress(typed) ??
    wrongUsage('--proxy must be automatic, none, or SCHEME://[user@]host:port with http, https, socks5 or socks5h');
  if (read.userInfo?.includes(':'))
    wrongUsage(`passwords are not accepted as arguments, because other processes can read them. ${passwordAdvice}`);
  const username = read.userInfo ? decodeName(read.userInfo) : null;
  const isSame = before.kind === 'fixed' && before.address === read.address && before.username === username;
  return { kind: 'fixed', address: read.address, username, password: { kind: isSame ? 'keep' : 'clear' } };
}

const passwordAdvice = `Use --${proxyPassword.option} FILE or ${proxyPassword.variable}`;

function decodeName(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch (error) {
    if (error instanceof URIError) return wrongUsage('--proxy: the user name is not percent-encoded correctly');
    throw error;
  }
}

async function basicOf(
  run: CommandRun,
  before: WorkspaceView['front']['basic'],
): Promise<WorkspaceDraft['front']['basic']> {
  const username = textOf(run.options, 'basic-user') ?? before?.username ?? '';
  const secret = await givenSecret(run, basicPassword);
  if (username === '') {
    if (isOption(run, basicPassword.option)) wrongUsage(`--${basicPassword.option} needs --basic-user NAME`);
    return null;
  }
  if (secret !== null) return { username, password: setTo(secret) };
  return { username, password: { kind: before?.username === username ? 'keep' : 'clear' } };
}

/** null: none was named. */
async function certificateOf(run: CommandRun): Promise<Certificate | null> {
  const { options, signal } = run;
  const [path, key, pkcs12] = [
    textOf(options, 'client-certificate'),
    textOf(options, 'client-key'),
    textOf(options, 'client-pkcs12'),
  ];
  if (pkcs12 !== null && (path !== null || key !== null))
    wrongUsage('give --client-pkcs12, or --client-certificate with --client-key');
  if (path === null && pkcs12 === null) {
    const alone = ['client-key', keyPassphrase.option].find((name) => isOption(run, name));
    return alone === undefined ? null : wrongUsage(`--${alone} needs --client-certificate or --client-pkcs12`);
  }
  if (path === '') return { kind: 'clear' };
  const passphrase = (await givenSecret(run, keyPassphrase)) || null;
  if (pkcs12 !== null) {
    const bytes = await fileBytes({ path: pkcs12, option: 'client-pkcs12', signal }, 1);
    if (bytes.byteLength > longestCertificateBytes) wrongUsage('--client-pkcs12: the file has more than 64 KiB');
    return { kind: 'pkcs12', base64: Buffer.from(bytes).toString('base64'), passphrase };
  }
  return {
    kind: 'pem',
    certificate: await pemOf(run, { path: path ?? '', option: 'client-certificate', signal }),
    key: key === null ? '' : await fileText({ path: key, option: 'client-key', signal }),
    passphrase,
  };
}

/** null: neither was given. */
export async function trustOf(run: CommandRun): Promise<Trust | null> {
  const { options, signal } = run;
  const [authority, pin] = [textOf(options, 'authority'), textOf(options, 'pin')];
  if (authority !== null && pin !== null) wrongUsage('give --authority or --pin, not both');
  if (pin !== null) return { kind: 'pin', fingerprint: pin.replaceAll(':', '').toLowerCase() };
  if (authority === null) return null;
  return { kind: 'authority', pem: await pemOf(run, { path: authority, option: 'authority', signal }) };
}

/** PEM text as it is; the host reads DER, as it knows certificates. */
async function pemOf(run: CommandRun, file: NamedFile): Promise<string> {
  const bytes = await fileBytes(file, 1);
  const text = Buffer.from(bytes).toString('latin1');
  if (text.includes('-----BEGIN ')) return text;
  const base64 = Buffer.from(bytes).toString('base64');
  if (bytes.byteLength > longestAuthorityBytes) wrongUsage(`--${file.option}: ${file.path} has more than 256 KiB`);
  return (await run.ask('workspaces.readAuthority', { base64 })).pem;
}

/** Whether a draft has a secret that is to be stored. */
export function setsSecret({ proxy, front }: Network): boolean {
  const passwords = [proxy.kind === 'fixed' ? proxy.password : null, front.basic?.password ?? null];
  return (
    passwords.some((change) => change?.kind === 'set') || !['keep', 'clear'].includes(front.clientCertificate.kind)
  );
}

const isOption = ({ options }: CommandRun, name: string): boolean => textOf(options, name) !== null;
const setTo = (password: string): PasswordChange => (password === '' ? { kind: 'clear' } : { kind: 'set', password });

/** For a person to read: never a secret, only whether there is one. */
export function networkSettings({ proxy, front }: WorkspaceView): [setting: string, value: string][] {
  const { basic, clientCertificate } = front;
  const password = (isStored: boolean): string => (isStored ? 'password stored' : 'no password');
  return [
    [
      'proxy',
      proxy.kind !== 'fixed'
        ? proxy.kind
        : [proxy.address, ...(proxy.username === null ? [] : [proxy.username, password(proxy.hasPassword)])].join(', '),
    ],
    ['web server login', basic === null ? 'none' : `${basic.username}, ${password(basic.hasPassword)}`],
    ['client certificate', clientCertificate === null ? 'none' : certificateWords(clientCertificate)],
  ];
}

const certificateWords = ({
  subject,
  validFrom,
  validTo,
  fingerprint,
  hasKey,
}: NonNullable<WorkspaceView['front']['clientCertificate']>): string =>
  `${subject}, ${validFrom} to ${validTo}, SHA-256 ${fingerprint}, ${hasKey ? 'key stored' : 'no key'}`;
