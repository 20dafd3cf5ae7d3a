import type { ServerAction } from '../../shared/domain/server-action.ts';
import { labWorkspaceId, type Timeouts, type Trust } from '../../shared/domain/workspace.ts';
import { fail, type ServiceName } from '../../shared/failure.ts';

/** A workspace as far as reaching its services goes. */
interface WorkspaceAddresses {
  repository: { baseUrl: string } | null;
  ruleEditor: { baseUrl: string } | null;
  trust: Trust;
  timeouts: Timeouts;
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

/** The name under which the token store keeps a workspace's token. */
export const tokenName = (workspaceId: string, service: ServiceName): string => `workspace/${workspaceId}/${service}`;

/** Turns a workspace id into a connection: the one place where an address and a token meet. */
export function createConnect(ports: ConnectionPorts): Connect {
  return async (workspaceId, service) => {
    if (workspaceId === labWorkspaceId) return labConnection(ports, service);
    const workspace = ports.workspace(workspaceId) ?? fail({ kind: 'workspace-missing', id: workspaceId });
    const addressed = service === 'repository' ? workspace.repository : workspace.ruleEditor;
    const { baseUrl } = addressed ?? fail({ kind: 'service-not-set', service });
    const token = await ports.token(tokenName(workspaceId, service));
    if (token !== null) ports.keepOutOfLogs(token);
    return {
      service,
      baseUrl,
      token,
      trust: workspace.trust,
      timeouts: workspace.timeouts,
      proxyFor: ports.proxyFor,
      noteAction: (action, answers) => ports.noteAction({ workspaceId, service, baseUrl }, action, answers),
      basic: null,
      clientCertificate: null,
    };
  };
}

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
