import {
  defaultRepositoryOptions,
  defaultTimeouts,
  type RepositoryOptions,
  type Trust,
  type WorkspaceDraft,
  type WorkspaceView,
} from '../../../shared/domain/workspace.ts';
import { text } from './strings.ts';
import {
  hasTypedSecret,
  joinedNetwork,
  joinedSecret,
  networkBegun,
  networkDraft,
  type NetworkFields,
  networkFields,
  type NetworkProblems,
  networkProblems,
  networkValues,
  secretBegun,
  type SecretField,
  secretField,
  withoutSecrets,
} from './workspace-network.ts';

export interface ServiceFields {
  baseUrl: string;
  token: SecretField;
}

/** The form as it is typed: text until it is saved. */
export interface WorkspaceFields {
  name: string;
  repository: ServiceFields;
  ruleEditor: ServiceFields;
  allowHttp: boolean;
  trust: Trust['kind'];
  pem: string;
  fingerprint: string;
  connectSeconds: string;
  firstByteSeconds: string;
  idleSeconds: string;
  options: RepositoryOptions;
  network: NetworkFields;
}

export type FieldProblems = Partial<
  Record<
    | 'name'
    | 'services'
    | 'repository'
    | 'ruleEditor'
    | 'pem'
    | 'fingerprint'
    | 'connectSeconds'
    | 'firstByteSeconds'
    | 'idleSeconds'
    | 'virusTotal'
    | 'sandbox',
    string
  >
> &
  NetworkProblems;

export function fieldsOf(stored: WorkspaceView | null): WorkspaceFields {
  const trust = stored?.trust ?? { kind: 'system' };
  const timeouts = stored?.timeouts ?? defaultTimeouts;
  return {
    name: stored?.name ?? '',
    repository: serviceFields(stored?.repository ?? null),
    ruleEditor: serviceFields(stored?.ruleEditor ?? null),
    allowHttp: stored?.allowHttp ?? false,
    trust: trust.kind,
    pem: trust.kind === 'authority' ? trust.pem : '',
    fingerprint: trust.kind === 'pin' ? trust.fingerprint : '',
    connectSeconds: String(timeouts.connectSeconds),
    firstByteSeconds: String(timeouts.firstByteSeconds),
    idleSeconds: String(timeouts.idleSeconds),
    options: stored?.options ?? defaultRepositoryOptions,
    network: networkFields(stored),
  };
}

const serviceFields = (view: WorkspaceView['repository']): ServiceFields => ({
  baseUrl: view?.baseUrl ?? '',
  token: secretField(view?.hasToken ?? false),
});

/** What was typed before, over the workspace as it is stored now: whether a token is stored may have changed. */
export function fieldsBegun(begun: WorkspaceFields, stored: WorkspaceView | null): WorkspaceFields {
  const now = fieldsOf(stored);
  return {
    ...begun,
    repository: serviceBegun(begun.repository, now.repository),
    ruleEditor: serviceBegun(begun.ruleEditor, now.ruleEditor),
    network: networkBegun(begun.network, now.network),
  };
}

const serviceBegun = ({ baseUrl, token }: ServiceFields, { token: now }: ServiceFields): ServiceFields => ({
  baseUrl,
  token: secretBegun(token, now),
});

export function withoutTokens(fields: WorkspaceFields): WorkspaceFields {
  const without = (service: ServiceFields): ServiceFields => ({ ...service, token: { ...service.token, typed: '' } });
  return {
    ...fields,
    repository: without(fields.repository),
    ruleEditor: without(fields.ruleEditor),
    network: withoutSecrets(fields.network),
  };
}

export const hasTypedToken = ({ repository, ruleEditor, network }: WorkspaceFields): boolean =>
  repository.token.typed !== '' || ruleEditor.token.typed !== '' || hasTypedSecret(network);

/** What the host gets. A service without an address is none; an empty token field is no token, and stores none. */
export function draftOf(fields: WorkspaceFields): WorkspaceDraft {
  return {
    name: fields.name.trim(),
    repository: serviceDraft(fields.repository),
    ruleEditor: serviceDraft(fields.ruleEditor),
    allowHttp: fields.allowHttp,
    trust: trustOf(fields),
    timeouts: {
      connectSeconds: Number(fields.connectSeconds),
      firstByteSeconds: Number(fields.firstByteSeconds),
      idleSeconds: Number(fields.idleSeconds),
    },
    options: { ...fields.options, receivers: withoutSpaces(fields.options.receivers) },
    ...networkDraft(fields.network),
  };
}

/** An empty name is a problem if there is a repository; elsewhere it is not shown. */
const withoutSpaces = ({ virusTotal, sandbox }: RepositoryOptions['receivers']): RepositoryOptions['receivers'] => ({
  virusTotal: virusTotal.trim() || defaultRepositoryOptions.receivers.virusTotal,
  sandbox: sandbox.trim() || defaultRepositoryOptions.receivers.sandbox,
});

function serviceDraft({ baseUrl, token }: ServiceFields): WorkspaceDraft['repository'] {
  if (baseUrl.trim() === '') return null;
  const typed = token.typed.trim();
  if (token.intent === 'set' && typed !== '') return { baseUrl: baseUrl.trim(), token: { kind: 'set', token: typed } };
  return { baseUrl: baseUrl.trim(), token: { kind: token.intent === 'clear' ? 'clear' : 'keep' } };
}

function trustOf({ trust, pem, fingerprint }: WorkspaceFields): Trust {
  if (trust === 'authority') return { kind: 'authority', pem: pem.trim() };
  return trust === 'pin' ? { kind: 'pin', fingerprint: plainFingerprint(fingerprint) } : { kind: 'system' };
}

/** Tools print fingerprints as `AB:CD:…` or with `sha256` in front. */
export function plainFingerprint(typed: string): string {
  return typed
    .replace(/^\s*sha-?256\s*(?:fingerprint)?\s*[=:]?/i, '')
    .replace(/[\s:]/g, '')
    .toLowerCase();
}

/** What can be said before the host is asked; the host checks all of it again. */
export function problemsOf(fields: WorkspaceFields): FieldProblems {
  const { problems } = text;
  const found: FieldProblems = {};
  if (fields.name.trim() === '') found.name = problems.name;
  if (fields.repository.baseUrl.trim() === '' && fields.ruleEditor.baseUrl.trim() === '')
    found.services = problems.noService;
  if (!isAddress(fields.repository.baseUrl)) found.repository = problems.address;
  if (!isAddress(fields.ruleEditor.baseUrl)) found.ruleEditor = problems.address;
  if (fields.trust === 'authority' && !fields.pem.includes('-----BEGIN CERTIFICATE-----')) found.pem = problems.pem;
  if (fields.trust === 'pin' && !/^[0-9a-f]{64}$/.test(plainFingerprint(fields.fingerprint)))
    found.fingerprint = problems.fingerprint;
  if (!isBetween(fields.connectSeconds, 300)) found.connectSeconds = problems.connect;
  if (!isBetween(fields.firstByteSeconds, 3600)) found.firstByteSeconds = problems.seconds;
  if (!isBetween(fields.idleSeconds, 3600)) found.idleSeconds = problems.seconds;
  // Without a repository its dialect is not asked for.
  if (hasRepository(fields) && !isReceiver(fields.options.receivers.virusTotal)) found.virusTotal = problems.receiver;
  if (hasRepository(fields) && !isReceiver(fields.options.receivers.sandbox)) found.sandbox = problems.receiver;
  return { ...found, ...networkProblems(fields.network) };
}

export const hasRepository = ({ repository }: WorkspaceFields): boolean => repository.baseUrl.trim() !== '';

function isReceiver(typed: string): boolean {
  const { length } = typed.trim();
  return length >= 1 && length <= 40;
}

function isAddress(typed: string): boolean {
  const trimmed = typed.trim();
  return trimmed === '' || (/^https?:\/\//i.test(trimmed) && URL.canParse(trimmed));
}

function isBetween(typed: string, most: number): boolean {
  const seconds = Number(typed);
  return typed.trim() !== '' && seconds >= 1 && seconds <= most;
}

/** A stored token stays with its host: an address on another one asks for the token again. */
export function movesHost(stored: { baseUrl: string; hasToken: boolean } | null, fields: ServiceFields): boolean {
  if (stored?.hasToken !== true || fields.token.intent !== 'keep') return false;
  const typed = fields.baseUrl.trim();
  return (
    URL.canParse(typed) && URL.canParse(stored.baseUrl) && new URL(typed).origin !== new URL(stored.baseUrl).origin
  );
}

/** Whether any address goes over plain http to another computer than this one. */
export function usesHttp(fields: WorkspaceFields): boolean {
  return [fields.repository.baseUrl, fields.ruleEditor.baseUrl].some((typed) => {
    const address = typed.trim();
    if (!URL.canParse(address)) return false;
    const { protocol, hostname } = new URL(address);
    return protocol === 'http:' && !/^(localhost|127(?:\.\d+){3}|\[::1\])$/.test(hostname);
  });
}

/** What is stored otherwise than the form has it: the field's name, and its value there. Untrusted text. */
export type StoredOtherwise = readonly [label: string, stored: string];

interface Versions {
  own: WorkspaceFields;
  /** What the form was begun from. */
  before: WorkspaceFields;
  now: WorkspaceFields;
}

/**
 * A workspace that was changed elsewhere, in the form: what was typed here stays, and what was not touched is as it is
 * stored now.
 */
export function overStored(
  own: WorkspaceFields,
  before: WorkspaceView,
  now: WorkspaceView,
): { fields: WorkspaceFields; otherwise: StoredOtherwise[] } {
  const versions = { own, before: fieldsOf(before), now: fieldsOf(now) };
  return {
    fields: joined(versions),
    otherwise: valuesOf(versions.now).flatMap(([label, stored], index) =>
      bothChanged(versions, index) ? [[label, stored] as const] : [],
    ),
  };
}

function joined(versions: Versions): WorkspaceFields {
  const { own, before, now } = versions;
  const options = (of: WorkspaceFields) => of.options;
  const receivers = (of: WorkspaceFields) => of.options.receivers;
  const { trust, pem, fingerprint } = trustText(own) === trustText(before) ? now : own;
  return {
    name: kept(versions, ({ name }) => name),
    repository: joinedService(own.repository, before.repository, now.repository),
    ruleEditor: joinedService(own.ruleEditor, before.ruleEditor, now.ruleEditor),
    allowHttp: kept(versions, ({ allowHttp }) => allowHttp),
    trust,
    pem,
    fingerprint,
    connectSeconds: kept(versions, ({ connectSeconds }) => connectSeconds),
    firstByteSeconds: kept(versions, ({ firstByteSeconds }) => firstByteSeconds),
    idleSeconds: kept(versions, ({ idleSeconds }) => idleSeconds),
    options: {
      tokenInForm: kept(versions, (of) => options(of).tokenInForm),
      commentForm: kept(versions, (of) => options(of).commentForm),
      decodesComments: kept(versions, (of) => options(of).decodesComments),
      optionalActions: kept(versions, (of) => options(of).optionalActions),
      receivers: {
        virusTotal: kept(versions, (of) => receivers(of).virusTotal),
        sandbox: kept(versions, (of) => receivers(of).sandbox),
      },
    },
    network: joinedNetwork({ own: own.network, before: before.network, now: now.network }),
  };
}

function kept<T extends string | boolean>({ own, before, now }: Versions, valueOf: (fields: WorkspaceFields) => T): T {
  return valueOf(own) === valueOf(before) ? valueOf(now) : valueOf(own);
}

function joinedService(own: ServiceFields, before: ServiceFields, now: ServiceFields): ServiceFields {
  return {
    baseUrl: own.baseUrl === before.baseUrl ? now.baseUrl : own.baseUrl,
    token: joinedSecret(own.token, now.token),
  };
}

function bothChanged({ own, before, now }: Versions, index: number): boolean {
  const [mine, was, is] = [own, before, now].map((fields) => valuesOf(fields)[index]?.[1]);
  return mine !== was && is !== was && mine !== is;
}

/** Every field that two may have changed to different values; a tick has but two. */
function valuesOf(fields: WorkspaceFields): StoredOtherwise[] {
  const { virusTotal, sandbox } = fields.options.receivers;
  return [
    [text.name, fields.name],
    [`${text.repository}, ${text.address}`, fields.repository.baseUrl || text.noService],
    [`${text.ruleEditor}, ${text.address}`, fields.ruleEditor.baseUrl || text.noService],
    [text.trust, trustText(fields)],
    [text.connect, fields.connectSeconds],
    [text.firstByte, fields.firstByteSeconds],
    [text.idle, fields.idleSeconds],
    [text.commentForm, text.commentForms[fields.options.commentForm]],
    [text.virusTotalName, virusTotal],
    [text.sandboxName, sandbox],
    ...networkValues(fields.network),
  ];
}

const trustText = ({ trust, pem, fingerprint }: WorkspaceFields): string =>
  [text.trusts[trust], { system: '', authority: pem, pin: fingerprint }[trust]].join(' ').trim();
