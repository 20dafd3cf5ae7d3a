import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { OperationRequest } from '../../shared/contract.ts';
import { type ConnectionTest } from '../../shared/domain/server-action.ts';
import {
  defaultFront,
  defaultProxy,
  defaultRepositoryOptions,
  defaultTimeouts,
  labWorkspaceId,
  labWorkspaceName,
  type PasswordChange,
  type WorkspaceDraft,
  type WorkspaceView,
} from '../../shared/domain/workspace.ts';
import { serviceName } from '../../shared/failure-kinds.ts';
import { fail, type Failure, FailureError, type ServiceName } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import { readClientCertificate } from '../api/client-certificate.ts';
import { checkAddress } from '../api/client/address.ts';
import { readAuthority } from '../api/client/trust.ts';
import {
  type Connect,
  type Connection,
  type ConnectionSecret,
  connectionTo,
  tokenName,
  workspaceSecrets,
} from '../api/connections.ts';
import { testConnection } from '../api/probe.ts';
import type { EventHub } from '../event-hub.ts';
import type { SettingsStore } from '../storage/settings/settings-store.ts';
import type { TokenNotes, WorkspaceRow, WorkspaceStore } from '../storage/settings/workspace-store.ts';
import type { TokenStore } from '../storage/tokens/token-store.ts';

export interface WorkspacesOptions {
  workspaces: WorkspaceStore;
  settings: SettingsStore;
  tokens: TokenStore;
  events: EventHub;
  connect: Connect;
  proxyFor(address: string): Promise<string | null>;
  keepOutOfLogs(token: string): void;
}

const services = serviceName.options;
type Addressed = Pick<WorkspaceRow, 'repository' | 'ruleEditor'>;

/** The services a person works with: added, edited, tested, removed. A token goes in and never comes out. */
export class Workspaces {
  readonly #options: WorkspacesOptions;
  readonly #edits = new Mutex();

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  async list(): Promise<{ workspaces: WorkspaceView[]; current: string; damaged: string[] }> {
    const rows = this.#options.workspaces.list();
    const stored = new Set(this.#options.tokens.names());
    const { currentWorkspace } = this.#options.settings.read().values;
    const current = rows.some(({ id }) => id === currentWorkspace) ? currentWorkspace : labWorkspaceId;
    return {
      workspaces: [labView, ...rows.map((row) => viewOf(row, stored))],
      current,
      damaged: this.#options.workspaces.damaged(),
    };
  }

  async add(draft: WorkspaceDraft): Promise<WorkspaceView> {
    const plan = planOf(`w-${randomBytes(8).toString('hex')}`, draft, null);
    await this.#withSecrets(plan, (notes) => this.#options.workspaces.add(plan.row, notes));
    return this.#changed(plan.row);
  }

  /**
   * One after the other: each is compared with what the one before it stored. Fails with `workspace-changed` where it
   * is not `basedOn`.
   */
  edit(request: OperationRequest<'workspaces.edit'>): Promise<WorkspaceView> {
    return this.#edits.run(() => this.#edit(request));
  }

  async #edit({ id, draft, basedOn }: OperationRequest<'workspaces.edit'>): Promise<WorkspaceView> {
    const before = this.#own(id);
    const plan = planOf(id, draft, before);
    const now = viewOf(before, new Set(this.#options.tokens.names()));
    if (!isDeepStrictEqual(seenBy(plan, basedOn), seenBy(plan, now))) fail({ kind: 'workspace-changed' });
    await this.#withSecrets(this.#keepingSecretsAtHome(before, plan), (notes) =>
      this.#options.workspaces.replace(plan.row, notes),
    );
    return this.#changed(plan.row);
  }

  /**
   * Its work ends first: what a hunt finds until then is forgotten with the rest. Then go the tokens: a crash in
   * between leaves a workspace without a token, never a token without one.
   * @returns ids of staged files that belonged to its uploads and scans
   */
  async remove(
    id: string,
    { forgetLibrary, stopWork }: { forgetLibrary: boolean; stopWork(): Promise<unknown> },
  ): Promise<readonly string[]> {
    if (!this.#options.workspaces.damaged().includes(id)) this.#own(id);
    await stopWork();
    for (const secret of workspaceSecrets) await this.#options.tokens.delete(tokenName(id, secret));
    const staged = this.#options.workspaces.remove(id, { forgetLibrary });
    if (this.#options.settings.read().values.currentWorkspace === id)
      this.#options.settings.change({ currentWorkspace: labWorkspaceId });
    this.#options.events.emit({ name: 'workspaces.changed', payload: {} });
    return staged;
  }

  switch(id: string): void {
    if (id !== labWorkspaceId) this.#own(id);
    this.#options.settings.change({ currentWorkspace: id });
    this.#options.events.emit({ name: 'workspaces.changed', payload: {} });
  }

  /** Asks each service of a stored workspace, or of a draft before it is saved. */
  async test(id: string | null, draft: WorkspaceDraft | null): Promise<ConnectionTest[]> {
    const connections = draft
      ? await this.#draftConnections(id, draft)
      : await this.#storedConnections(id ?? labWorkspaceId);
    const withOptional = (draft ?? (id === null ? null : this.#options.workspaces.get(id)))?.options.optionalActions;
    return Promise.all(
      connections.map((connection) => testConnection(connection, { withOptional: withOptional ?? false })),
    );
  }

  #own(id: string): WorkspaceRow {
    if (id === labWorkspaceId) fail({ kind: 'workspace-built-in' });
    return this.#options.workspaces.get(id) ?? fail({ kind: 'workspace-missing', id });
  }

  async #storedConnections(id: string): Promise<Connection[]> {
    const row = id === labWorkspaceId ? labServices : this.#own(id);
    const present = services.filter((service) => addressOf(row, service) !== null);
    return Promise.all(present.map((service) => this.#options.connect(id, service)));
  }

  async #draftConnections(id: string | null, draft: WorkspaceDraft): Promise<Connection[]> {
    const before = id === null ? null : this.#own(id);
    const plan = planOf(id ?? 'draft', draft, before);
    const { row, changes } = before ? this.#keepingSecretsAtHome(before, plan) : plan;
    const secret = async (which: ConnectionSecret): Promise<string | null> => {
      const change = changes.get(which) ?? keep;
      if (change.kind === 'set') return change.value;
      return change.kind === 'clear' || before === null ? null : this.#options.tokens.get(tokenName(row.id, which));
    };
    const { proxyFor, keepOutOfLogs } = this.#options;
    return Promise.all(
      services
        .filter((service) => addressOf(row, service) !== null)
        .map((service) => connectionTo(row, service, { secret, proxyFor, keepOutOfLogs })),
    );
  }

  /**
   * A kept secret stays with the host it was put in for: an edited address must not carry it elsewhere. One that lies
   * in a store that is not in use goes, or it would be sent to the new host once that store is.
   */
  #keepingSecretsAtHome(before: WorkspaceRow, { row, changes }: Plan): Plan {
    const stored = new Set(this.#options.tokens.names());
    const moving = [...changes].flatMap(([secret, { kind }]) =>
      kind === 'keep' && movesHost[secret](before, row) ? [secret] : [],
    );
    for (const secret of moving) if (stored.has(tokenName(before.id, secret))) fail(failuresOfMoving[secret]);
    return { row, changes: new Map([...changes, ...moving.map((secret) => [secret, clear] as const)]) };
  }

  /**
   * The secrets first: without them the row is of no use. A row that cannot be written takes them back, or one address
   * would hold the token of another.
   */
  async #withSecrets({ row, changes }: Plan, storeRow: (notes: TokenNotes) => void): Promise<void> {
    const takeBack: (() => Promise<void>)[] = [];
    const notes = this.#tokenNotes(row.id, changes);
    try {
      for (const [secret, change] of changes) await this.#storeSecret(tokenName(row.id, secret), change, takeBack);
      storeRow(notes);
    } catch (error) {
      for (const step of takeBack) await step();
      throw error;
    }
  }

  /** For the journal. */
  #tokenNotes(id: string, changes: Plan['changes']): TokenNotes {
    const stored = new Set(this.#options.tokens.names());
    const noted = [...changes].flatMap(([secret, { kind }]) => {
      if (kind !== 'set' && !stored.has(tokenName(id, secret))) return [];
      return [[noteNames[secret], kind === 'set' ? kind : tokenWords[kind]] as const];
    });
    return Object.fromEntries(noted);
  }

  async #storeSecret(name: string, change: SecretChange, takeBack: (() => Promise<void>)[]): Promise<void> {
    const { tokens, keepOutOfLogs } = this.#options;
    if (change.kind === 'clear') return tokens.delete(name);
    if (change.kind === 'keep') return;
    const before = await this.#readableToken(name);
    keepOutOfLogs(change.value);
    await tokens.set(name, change.value);
    takeBack.push(() => (before === null ? tokens.delete(name) : tokens.set(name, before)));
  }

  /** null also for one that can no longer be read: a new one may take its place. */
  async #readableToken(name: string): Promise<string | null> {
    try {
      return await this.#options.tokens.get(name);
    } catch (error) {
      if (error instanceof FailureError) return null;
      throw error;
    }
  }

  async #changed(row: WorkspaceRow): Promise<WorkspaceView> {
    this.#options.events.emit({ name: 'workspaces.changed', payload: {} });
    return viewOf(row, new Set(this.#options.tokens.names()));
  }
}

const labServices: Addressed = { repository: { baseUrl: '' }, ruleEditor: { baseUrl: '' } };

/** The lab as the page sees it: its address and token change with each start and cannot be edited. */
const labView: WorkspaceView = {
  id: labWorkspaceId,
  name: labWorkspaceName,
  builtIn: true,
  repository: { baseUrl: 'http://127.0.0.1/repository', hasToken: true },
  ruleEditor: { baseUrl: 'http://127.0.0.1/rules', hasToken: true },
  allowHttp: true,
  trust: { kind: 'system' },
  timeouts: defaultTimeouts,
  options: defaultRepositoryOptions,
  proxy: defaultProxy,
  front: defaultFront,
};

type SecretChange = { kind: 'keep' } | { kind: 'clear' } | { kind: 'set'; value: string };
/** What an edit stores: the row, and the change of each secret. */
interface Plan {
  row: WorkspaceRow;
  changes: ReadonlyMap<ConnectionSecret, SecretChange>;
}
const keep: SecretChange = { kind: 'keep' };
const clear: SecretChange = { kind: 'clear' };

/** What cannot be used is reported now, and not by each call that is made with it. */
function planOf(id: string, draft: WorkspaceDraft, before: WorkspaceRow | null): Plan {
  const { name, allowHttp, trust, timeouts, options, proxy, front } = draft;
  if (trust.kind === 'authority') readAuthority(trust.pem);
  const addressed = (service: { baseUrl: string } | null): { baseUrl: string } | null =>
    service && { baseUrl: checkAddress(service.baseUrl, { allowHttp }) };
  const [clientCertificate, clientKey] = certificateOf(front.clientCertificate, before);
  const row: WorkspaceRow = {
    id,
    name,
    repository: addressed(draft.repository),
    ruleEditor: addressed(draft.ruleEditor),
    allowHttp,
    trust,
    timeouts,
    options,
    proxy: proxy.kind === 'fixed' ? { kind: 'fixed', address: proxy.address, username: proxy.username } : proxy,
    front: { basic: front.basic && { username: front.basic.username }, clientCertificate },
  };
  return {
    row,
    changes: new Map<ConnectionSecret, SecretChange>([
      ['repository', tokenChangeOf(draft.repository)],
      ['rule-editor', tokenChangeOf(draft.ruleEditor)],
      ['proxy', proxy.kind === 'fixed' && proxy.username !== null ? passwordChangeOf(proxy.password) : clear],
      ['basic', front.basic === null ? clear : passwordChangeOf(front.basic.password)],
      ['client-key', clientKey],
    ]),
  };
}

/** A service taken out of a workspace takes its token along. */
const tokenChangeOf = (service: WorkspaceDraft['repository']): SecretChange =>
  service?.token.kind === 'set' ? { kind: 'set', value: service.token.token } : (service?.token ?? clear);

const passwordChangeOf = (change: PasswordChange): SecretChange =>
  change.kind === 'set' ? { kind: 'set', value: change.password } : change;

function certificateOf(
  change: WorkspaceDraft['front']['clientCertificate'],
  before: WorkspaceRow | null,
): [facts: WorkspaceRow['front']['clientCertificate'], key: SecretChange] {
  if (change.kind === 'clear') return [null, clear];
  if (change.kind === 'keep') {
    const kept = before?.front.clientCertificate ?? null;
    return [kept, kept === null ? clear : keep];
  }
  const { facts, secret } = readClientCertificate(change);
  return [facts, { kind: 'set', value: secret }];
}

function viewOf(row: WorkspaceRow, tokens: ReadonlySet<string>): WorkspaceView {
  const has = (secret: ConnectionSecret): boolean => tokens.has(tokenName(row.id, secret));
  const view = (service: ServiceName): WorkspaceView['repository'] => {
    const baseUrl = addressOf(row, service);
    return baseUrl === null ? null : { baseUrl, hasToken: has(service) };
  };
  const { proxy, front } = row;
  return {
    ...row,
    builtIn: false,
    repository: view('repository'),
    ruleEditor: view('rule-editor'),
    proxy: proxy.kind === 'fixed' ? { ...proxy, hasPassword: has('proxy') } : proxy,
    front: {
      basic: front.basic && { ...front.basic, hasPassword: has('basic') },
      clientCertificate: front.clientCertificate && { ...front.clientCertificate, hasKey: has('client-key') },
    },
  };
}

function addressOf(row: Addressed, service: ServiceName): string | null {
  return (service === 'repository' ? row.repository : row.ruleEditor)?.baseUrl ?? null;
}

/** The base of an edit: whether there is a secret matters where it puts one in or takes one out. */
function seenBy({ changes }: Plan, view: WorkspaceView): WorkspaceView {
  const has = (secret: ConnectionSecret, isStored: boolean): boolean =>
    changes.get(secret)?.kind !== 'keep' && isStored;
  const { repository, ruleEditor, proxy, front } = view;
  const { basic, clientCertificate } = front;
  return {
    ...view,
    repository: repository && { ...repository, hasToken: has('repository', repository.hasToken) },
    ruleEditor: ruleEditor && { ...ruleEditor, hasToken: has('rule-editor', ruleEditor.hasToken) },
    proxy: proxy.kind === 'fixed' ? { ...proxy, hasPassword: has('proxy', proxy.hasPassword) } : proxy,
    front: {
      basic: basic && { ...basic, hasPassword: has('basic', basic.hasPassword) },
      clientCertificate: clientCertificate && {
        ...clientCertificate,
        hasKey: has('client-key', clientCertificate.hasKey),
      },
    },
  };
}

const noteNames = {
  repository: 'repositoryToken',
  'rule-editor': 'ruleEditorToken',
  proxy: 'proxyPassword',
  basic: 'frontPassword',
  'client-key': 'clientKey',
} as const satisfies Record<ConnectionSecret, keyof TokenNotes>;
const tokenWords = { keep: 'kept', clear: 'cleared' } as const;

/** Whether a kept secret would go to a host that it was not put in for. */
const movesHost: Readonly<Record<ConnectionSecret, (before: WorkspaceRow, after: WorkspaceRow) => boolean>> = {
  repository: (before, after) => movesService('repository', before, after),
  'rule-editor': (before, after) => movesService('rule-editor', before, after),
  proxy: (before, after) =>
    after.proxy.kind === 'fixed' && (before.proxy.kind !== 'fixed' || before.proxy.address !== after.proxy.address),
  basic: (before, after) => before.front.basic === null || addsOrigin(before, after),
  'client-key': addsOrigin,
};

function movesService(service: ServiceName, before: WorkspaceRow, after: WorkspaceRow): boolean {
  const [from, to] = [addressOf(before, service), addressOf(after, service)];
  return from !== null && to !== null && new URL(from).origin !== new URL(to).origin;
}

/** Both services get what is in front of them. */
function addsOrigin(before: WorkspaceRow, after: WorkspaceRow): boolean {
  const known = new Set(originsOf(before));
  return originsOf(after).some((origin) => !known.has(origin));
}

const originsOf = (row: WorkspaceRow): string[] =>
  services
    .map((service) => addressOf(row, service))
    .flatMap((address) => (address === null ? [] : new URL(address).origin));

const failuresOfMoving: Readonly<Record<ConnectionSecret, Failure>> = {
  repository: { kind: 'token-for-other-host', service: 'repository' },
  'rule-editor': { kind: 'token-for-other-host', service: 'rule-editor' },
  proxy: { kind: 'secret-for-other-host', secret: 'proxy' },
  basic: { kind: 'secret-for-other-host', secret: 'basic' },
  'client-key': { kind: 'secret-for-other-host', secret: 'client-certificate' },
};
