import { Buffer } from 'node:buffer';
import type { ServerAction } from '../../shared/domain/server-action.ts';
import {
  type FrontSetting,
  labWorkspaceId,
  type ProxySetting,
  type Timeouts,
  type Trust,
} from '../../shared/domain/workspace.ts';
import { fail, type ServiceName } from '../../shared/failure.ts';
import { storedClientCertificate } from './client-certificate.ts';

/** A workspace as far as reaching its services goes. */
export interface WorkspaceAddresses {
  repository: { baseUrl: string } | null;
  ruleEditor: { baseUrl: string } | null;
  trust: Trust;
  timeouts: Timeouts;
  proxy: ProxySetting;
  front: FrontSetting;
}

interface ConnectionPorts {
  workspace(id: string): WorkspaceAddresses | null;
  token(name: string): Promise<string | null>;
  /** The lab's address and token of this start; waits while it starts. Rejects with `lab-down`. */
  lab(): Promise<{ repositoryUrl: string; ruleEditorUrl: string; token: string }>;
  labTimeouts: Timeouts;
  proxyFor(address: string): Promise<string | null>;
  /** Called with every token before it is used, so that no log can hold it. */
  keepOutOfLogs(token: string): void;
  /** What an answer showed of an action of a workspace's server. Called with every answer. */
  noteAction(
    of: { workspaceId: string; service: ServiceName; baseUrl: string },
    action: ServerAction,
    answers: boolean,
  ): void;
}

export type Connect = (workspaceId: string, service: ServiceName) => Promise<Connection>;

/** Everything the token store keeps for a workspace: the tokens of its services, and what else they require. */
export const workspaceSecrets = [
  'repository',
  'rule-editor',
  'proxy',
  'basic',
  'client-key',
  'package-password',
] as const;
type WorkspaceSecret = (typeof workspaceSecrets)[number];
/** Those that a connection is made with. */
export type ConnectionSecret = Exclude<WorkspaceSecret, 'package-password'>;

/** The name under which the token store keeps it. */
export const tokenName = (workspaceId: string, secret: WorkspaceSecret): string => `workspace/${workspaceId}/${secret}`;

/** Turns a workspace id into a connection: the one place where an address and a token meet. */
export function createConnect(ports: ConnectionPorts): Connect {
  return async (workspaceId, service) => {
    if (workspaceId === labWorkspaceId) return labConnection(ports, service);
    const workspace = ports.workspace(workspaceId) ?? fail({ kind: 'workspace-missing', id: workspaceId });
    const connection = await connectionTo(workspace, service, {
      secret: (which) => ports.token(tokenName(workspaceId, which)),
      proxyFor: ports.proxyFor,
      keepOutOfLogs: ports.keepOutOfLogs,
    });
    const { baseUrl } = connection;
    return {
      ...connection,
      noteAction: (action, answers) => ports.noteAction({ workspaceId, service, baseUrl }, action, answers),
    };
  };
}

interface SecretPorts extends Pick<ConnectionPorts, 'proxyFor' | 'keepOutOfLogs'> {
  secret(which: ConnectionSecret): Promise<string | null>;
}

/** Of a stored workspace, or of one that is tested before it is saved. Fails with `service-not-set`. */
export async function connectionTo(
  workspace: WorkspaceAddresses,
  service: ServiceName,
  ports: SecretPorts,
): Promise<Connection> {
  const addressed = service === 'repository' ? workspace.repository : workspace.ruleEditor;
  const { baseUrl } = addressed ?? fail({ kind: 'service-not-set', service });
  const { proxy, front, trust, timeouts } = workspace;
  return {
    service,
    baseUrl,
    token: await readSecret(service, ports),
    trust,
    timeouts,
    proxyFor: await proxyFunction(proxy, ports),
    basic: front.basic && { ...front.basic, password: (await readSecret('basic', ports)) ?? '' },
    clientCertificate: front.clientCertificate && (await readCertificate(ports)),
  };
}

async function readSecret(which: ConnectionSecret, { secret, keepOutOfLogs }: SecretPorts): Promise<string | null> {
  const found = await secret(which);
  if (found !== null) keepOutOfLogs(found);
  return found;
}

/** A user name without a stored password is sent with an empty one, which some proxies take. */
async function proxyFunction(proxy: ProxySetting, ports: SecretPorts): Promise<Connection['proxyFor']> {
  if (proxy.kind === 'automatic') return ports.proxyFor;
  if (proxy.kind === 'none') return async () => null;
  if (proxy.username === null) return async () => proxy.address;
  const password = (await readSecret('proxy', ports)) ?? '';
  const userInfo = `${encodeURIComponent(proxy.username)}:${encodeURIComponent(password)}`;
  const named = proxy.address.replace('://', () => `://${userInfo}@`);
  return async () => named;
}

/** null also where its key is not stored: the server then reports what it requires. */
async function readCertificate({ secret, keepOutOfLogs }: SecretPorts): Promise<ClientCertificate | null> {
  const stored = await secret('client-key');
  if (stored === null) return null;
  const certificate = storedClientCertificate(stored);
  if (certificate.passphrase) keepOutOfLogs(certificate.passphrase);
  if (certificate.kind === 'pem') {
    for (const line of longLines(certificate.key)) keepOutOfLogs(line);
    return certificate;
  }
  const { base64, ...pkcs12 } = certificate;
  return { ...pkcs12, bytes: Buffer.from(base64, 'base64') };
}

const longLines = (pem: string): string[] => pem.split(/\r?\n/).filter((line) => /^[A-Za-z0-9+/=]{40,}$/.test(line));

async function labConnection(ports: ConnectionPorts, service: ServiceName): Promise<Connection> {
  const lab = await ports.lab();
  ports.keepOutOfLogs(lab.token);
  return {
    service,
    baseUrl: service === 'repository' ? lab.repositoryUrl : lab.ruleEditorUrl,
    token: lab.token,
    trust: { kind: 'system' },
    timeouts: ports.labTimeouts,
    proxyFor: ports.proxyFor,
    basic: null,
    clientCertificate: null,
  };
}

/** HTTP Basic credentials that a web server in front of the service requires. */
export interface BasicCredentials {
  username: string;
  password: string;
}

/** What proves this client to a server that requires a client certificate. */
export type ClientCertificate =
  | { kind: 'pem'; certificate: string; key: string; passphrase: string | null }
  | { kind: 'pkcs12'; bytes: Uint8Array; passphrase: string | null };

/** Everything it takes to reach one service of one workspace. Holds the token: never logged, never sent to the page. */
export interface Connection {
  service: ServiceName;
  /** As `checkAddress` gives it: no trailing slash, user info, query or fragment, and without `/api.php`. */
  baseUrl: string;
  /** null: the calls go out without one, and a 401 is then the failure `token-missing`. */
  token: string | null;
  trust: Trust;
  timeouts: Timeouts;
  /**
   * The proxy for an address as `scheme://[user:password@]host:port`, or null for none. Never called for a loopback
   * address. One of a kind that is not supported, or an unreadable one, fails the call: it is never passed over.
   */
  proxyFor(address: string): Promise<string | null>;
  /** Keeps what an answer showed of an action: whether the server has it. Left out where nothing is to be kept. */
  noteAction?(action: ServerAction, answers: boolean): void;
  basic: BasicCredentials | null;
  clientCertificate: ClientCertificate | null;
}
