import {
  type PasswordChange,
  type ProxySetting,
  readProxyAddress,
  type WorkspaceDraft,
  type WorkspaceView,
} from '../../../shared/domain/workspace.ts';
import { text } from './strings.ts';

/** A token or password field: what is stored is never here, only that there is something. */
export interface SecretField {
  stored: boolean;
  intent: 'keep' | 'set' | 'clear';
  typed: string;
}

type StoredCertificate = WorkspaceView['front']['clientCertificate'];

/** `keep`: the stored one; `set`: what is in the fields; `clear`: none. */
export interface CertificateFields {
  stored: StoredCertificate;
  intent: 'keep' | 'set' | 'clear';
  kind: 'pem' | 'pkcs12';
  certificate: string;
  key: string;
  file: { name: string; base64: string } | null;
  passphrase: string;
}

/** How a workspace reaches its services, as it is typed. */
export interface NetworkFields {
  proxy: { kind: ProxySetting['kind']; address: string; username: string; password: SecretField };
  basic: { isOn: boolean; username: string; password: SecretField };
  certificate: CertificateFields;
}

export type NetworkProblems = Partial<
  Record<'proxyAddress' | 'proxyUser' | 'basicUser' | 'basicPassword' | 'certificate' | 'key' | 'pkcs12', string>
>;

export const secretField = (stored: boolean): SecretField => ({ stored, intent: stored ? 'keep' : 'set', typed: '' });

export function networkFields(view: WorkspaceView | null): NetworkFields {
  const proxy = view?.proxy ?? { kind: 'automatic' };
  const basic = view?.front.basic ?? null;
  const fixed = proxy.kind === 'fixed' ? proxy : null;
  return {
    proxy: {
      kind: proxy.kind,
      address: fixed?.address ?? '',
      username: fixed?.username ?? '',
      password: secretField(fixed?.hasPassword ?? false),
    },
    basic: {
      isOn: basic !== null,
      username: basic?.username ?? '',
      password: secretField(basic?.hasPassword ?? false),
    },
    certificate: certificateFields(view?.front.clientCertificate ?? null),
  };
}

export const certificateFields = (stored: StoredCertificate): CertificateFields => ({
  stored,
  intent: stored === null ? 'clear' : 'keep',
  kind: 'pem',
  certificate: '',
  key: '',
  file: null,
  passphrase: '',
});

/** Whether it is all as in a new workspace. */
export const isUsualNetwork = ({ proxy, basic, certificate }: NetworkFields): boolean =>
  proxy.kind === 'automatic' && !basic.isOn && certificate.intent === 'clear';

export function networkSummary({ proxy, basic, certificate }: NetworkFields): string {
  const { summary } = text.network;
  return [
    proxy.kind === 'fixed'
      ? (readProxyAddress(proxy.address)?.address ?? summary.proxies.fixed)
      : summary.proxies[proxy.kind],
    ...(basic.isOn ? [summary.login] : []),
    ...(certificate.intent === 'clear' ? [] : [summary.certificate]),
  ].join(' · ');
}

/** What the host gets. */
export function networkDraft({ proxy, basic, certificate }: NetworkFields): Pick<WorkspaceDraft, 'proxy' | 'front'> {
  const username = proxy.username.trim() || null;
  return {
    proxy:
      proxy.kind === 'fixed'
        ? {
            kind: 'fixed',
            address: readProxyAddress(proxy.address)?.address ?? proxy.address.trim(),
            username,
            password: username === null ? { kind: 'clear' } : passwordOf(proxy.password),
          }
        : { kind: proxy.kind },
    front: {
      basic: basic.isOn ? { username: basic.username.trim(), password: passwordOf(basic.password) } : null,
      clientCertificate: certificateDraft(certificate),
    },
  };
}

/** Spaces at its ends are a part of a password. An empty field changes nothing. */
function passwordOf({ intent, typed }: SecretField): PasswordChange {
  if (intent === 'set' && typed !== '') return { kind: 'set', password: typed };
  return { kind: intent === 'clear' ? 'clear' : 'keep' };
}

function certificateDraft(fields: CertificateFields): WorkspaceDraft['front']['clientCertificate'] {
  const { intent, kind, certificate, key, file } = fields;
  if (intent !== 'set') return { kind: intent };
  const passphrase = fields.passphrase === '' ? null : fields.passphrase;
  return kind === 'pem' ? { kind, certificate, key, passphrase } : { kind, base64: file?.base64 ?? '', passphrase };
}

export function networkProblems({ proxy, basic, certificate }: NetworkFields): NetworkProblems {
  const { problems } = text.network;
  const found: NetworkProblems = {};
  if (proxy.kind === 'fixed') {
    const read = readProxyAddress(proxy.address);
    if (read === null) found.proxyAddress = problems.proxyAddress;
    else if (read.userInfo !== null) found.proxyAddress = problems.userInfo;
    if (proxy.username.includes(':')) found.proxyUser = problems.colon;
    else if (proxy.username.trim() === '' && isTyped(proxy.password)) found.proxyUser = problems.user;
  }
  if (basic.isOn) {
    if (basic.username.trim() === '') found.basicUser = problems.user;
    else if (basic.username.includes(':')) found.basicUser = problems.colon;
    if (basic.password.intent === 'clear' || (!basic.password.stored && !isTyped(basic.password)))
      found.basicPassword = problems.password;
  }
  return { ...found, ...certificateProblems(certificate) };
}

function certificateProblems({ intent, kind, certificate, key, file }: CertificateFields): NetworkProblems {
  const { problems } = text.network;
  if (intent !== 'set') return {};
  if (kind === 'pkcs12') return file === null ? { pkcs12: problems.pkcs12 } : {};
  return {
    ...(certificate.includes('-----BEGIN CERTIFICATE-----') ? {} : { certificate: problems.certificate }),
    ...(`${certificate}${key}`.includes('PRIVATE KEY-----') ? {} : { key: problems.key }),
  };
}

const isTyped = ({ intent, typed }: SecretField): boolean => intent === 'set' && typed !== '';

export const hasTypedSecret = ({ proxy, basic, certificate }: NetworkFields): boolean =>
  isTyped(proxy.password) || isTyped(basic.password) || holdsCertificate(certificate);

const holdsCertificate = ({ intent, certificate, key, file, passphrase }: CertificateFields): boolean =>
  intent === 'set' && (certificate !== '' || key !== '' || file !== null || passphrase !== '');

/** A key may be in the text of the certificate: all of it goes. */
export const withoutSecrets = ({ proxy, basic, certificate }: NetworkFields): NetworkFields => ({
  proxy: { ...proxy, password: { ...proxy.password, typed: '' } },
  basic: { ...basic, password: { ...basic.password, typed: '' } },
  certificate: { ...certificate, certificate: '', key: '', file: null, passphrase: '' },
});

/** What was typed before, over what is stored now. */
export const networkBegun = (begun: NetworkFields, now: NetworkFields): NetworkFields => ({
  proxy: { ...begun.proxy, password: secretBegun(begun.proxy.password, now.proxy.password) },
  basic: { ...begun.basic, password: secretBegun(begun.basic.password, now.basic.password) },
  certificate: {
    ...begun.certificate,
    stored: now.certificate.stored,
    intent: begun.certificate.intent === 'keep' ? now.certificate.intent : begun.certificate.intent,
  },
});

export const secretBegun = ({ intent }: SecretField, now: SecretField): SecretField =>
  now.stored ? { ...now, intent } : now;

interface NetworkVersions {
  own: NetworkFields;
  before: NetworkFields;
  now: NetworkFields;
}

/** Each of the three is one choice: taken as a whole from where it was changed, from here if in both. */
export function joinedNetwork({ own, before, now }: NetworkVersions): NetworkFields {
  const hasOwnProxy = proxyText(own) !== proxyText(before);
  const hasOwnBasic = basicText(own) !== basicText(before);
  const hasOwnCertificate = own.certificate.intent === 'set' || own.certificate.intent !== before.certificate.intent;
  return {
    proxy: {
      ...(hasOwnProxy ? own : now).proxy,
      password: joinedSecret(own.proxy.password, now.proxy.password),
    },
    basic: {
      ...(hasOwnBasic ? own : now).basic,
      password: joinedSecret(own.basic.password, now.basic.password),
    },
    certificate: hasOwnCertificate ? { ...own.certificate, stored: now.certificate.stored } : now.certificate,
  };
}

export function joinedSecret(own: SecretField, now: SecretField): SecretField {
  const isMeant = own.typed !== '' || (own.intent === 'clear' && now.stored);
  return isMeant ? { ...own, stored: now.stored } : now;
}

/** Of what two may have changed: the field's name, and its value. Never a secret. */
export const networkValues = (fields: NetworkFields): (readonly [label: string, value: string])[] => [
  [text.network.proxy, proxyText(fields)],
  [text.network.basicTitle, basicText(fields)],
  [text.network.certificateTitle, certificateText(fields.certificate)],
];

const proxyText = ({ proxy: { kind, address, username } }: NetworkFields): string =>
  kind === 'fixed' ? [address, username].filter((part) => part !== '').join(' ') : text.network.proxies[kind];

const basicText = ({ basic: { isOn, username } }: NetworkFields): string => (isOn ? username : text.network.none);

function certificateText({ intent, stored, kind }: CertificateFields): string {
  if (intent === 'set') return text.network.certificateKinds[kind];
  return intent === 'keep' ? (stored?.subject ?? text.network.none) : text.network.none;
}

/** A kept password of the proxy is not sent to another one. */
export function movesProxy(
  stored: WorkspaceView['proxy'] | null,
  { kind, address, password }: NetworkFields['proxy'],
): boolean {
  if (stored?.kind !== 'fixed' || !stored.hasPassword || kind !== 'fixed' || password.intent !== 'keep') return false;
  const typed = readProxyAddress(address);
  return typed !== null && typed.address !== stored.address;
}

/** A kept login or certificate is not sent to a host that none of the addresses had. */
export function addsHost(stored: WorkspaceView | null, addresses: readonly string[]): boolean {
  const known = new Set(
    [stored?.repository, stored?.ruleEditor].flatMap((service) => originOf(service?.baseUrl ?? '') ?? []),
  );
  return addresses.some((address) => {
    const origin = originOf(address);
    return origin !== null && !known.has(origin);
  });
}

const originOf = (address: string): string | null => URL.parse(address.trim())?.origin ?? null;
