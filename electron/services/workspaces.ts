import { randomBytes } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { OperationRequest } from '../../shared/contract.ts';
import { type ConnectionTest, defaultRepositoryOptions, defaultTimeouts, labWorkspaceId, labWorkspaceName, type TokenChange, type WorkspaceDraft, type WorkspaceView } from '../../shared/domain/workspace.ts';
import { serviceName } from '../../shared/failure-kinds.ts';
import { fail, FailureError, type ServiceName } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import { checkAddress } from '../api/client/address.ts';
import { readAuthority } from '../api/client/trust.ts';
import { type Connect, type Connection, tokenName } from '../api/connections.ts';
import { probeConnection } from '../api/probe.ts';
import { findActions } from '../api/server-actions.ts';
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
    const row = rowOf(`w-${randomBytes(8).toString('hex')}`, draft);
    await this.#withTokens(row.id, draft, (notes) => this.#options.workspaces.add(row, notes));
    return this.#changed(row);
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
    const now = viewOf(before, new Set(this.#options.tokens.names()));
    if (!isDeepStrictEqual(seenBy(draft, basedOn), seenBy(draft, now))) fail({ kind: 'workspace-changed' });
    const row = rowOf(id, draft);
    await this.#withTokens(id, this.#keepingTokensAtHome(before, draft, row), (notes) =>
      this.#options.workspaces.replace(row, notes),
    );
    return this.#changed(row);
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
    for (const service of services) await this.#options.tokens.delete(tokenName(id, service));
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
      connections.map(async (connection) => {
        const probe = await probeConnection(connection);
        if (!probe.reachable || probe.tokenAccepted === false)
          return { service: connection.service, ...probe, actions: [] };
        const found = await findActions(connection, { withOptional: withOptional ?? false });
        const actions = [...found].map(([action, answers]) => ({ action, answers }));
        // A release without the action that the probe uses has others, and these accept the token.
        const hasOthers = probe.failure?.kind === 'action-unknown' && actions.some(({ answers }) => answers);
        const result = hasOthers ? { ...probe, tokenAccepted: true, failure: null } : probe;
        return { service: connection.service, ...result, actions };
      }),
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
    const row = rowOf(id ?? 'draft', draft);
    const sent = before ? this.#keepingTokensAtHome(before, draft, row) : draft;
    const connections: Connection[] = [];
    for (const service of services) {
      const baseUrl = addressOf(row, service);
      if (baseUrl === null) continue;
      const token = await this.#tokenFor(before?.id ?? null, service, changeOf(sent, service));
      connections.push({
        service,
        baseUrl,
        token,
        trust: row.trust,
        timeouts: row.timeouts,
        proxyFor: this.#options.proxyFor,
        basic: null,
        clientCertificate: null,
      });
    }
    return connections;
  }

  async #tokenFor(id: string | null, service: ServiceName, change: TokenChange): Promise<string | null> {
    if (change.kind === 'clear') return null;
    const token =
      change.kind === 'set'
        ? change.token
        : id === null
          ? null
          : await this.#options.tokens.get(tokenName(id, service));
    if (token !== null) this.#options.keepOutOfLogs(token);
    return token;
  }

  /**
   * A kept token stays with the host it was put in for: an edited address must not carry it elsewhere. One that lies in
   * a store that is not in use goes, or it would be sent to the new host once that store is.
   */
  #keepingTokensAtHome(before: WorkspaceRow, draft: WorkspaceDraft, after: WorkspaceRow): WorkspaceDraft {
    const stored = new Set(this.#options.tokens.names());
    const moving = services.filter(
      (service) =>
        changeOf(draft, service).kind === 'keep' && movesHost(addressOf(before, service), addressOf(after, service)),
    );
    for (const service of moving)
      if (stored.has(tokenName(before.id, service))) fail({ kind: 'token-for-other-host', service });
    return moving.reduce(withoutToken, draft);
  }

  /**
   * The tokens first: without them the row is of no use. A row that cannot be written takes them back, or one address
   * would hold the token of another.
   */
  async #withTokens(id: string, draft: WorkspaceDraft, storeRow: (notes: TokenNotes) => void): Promise<void> {
    const takeBack: (() => Promise<void>)[] = [];
    const notes = this.#tokenNotes(id, draft);
    try {
      for (const service of services)
        await this.#storeToken(tokenName(id, service), changeOf(draft, service), takeBack);
      storeRow(notes);
    } catch (error) {
      for (const step of takeBack) await step();
      throw error;
    }
  }

  /** For the journal. */
  #tokenNotes(id: string, draft: WorkspaceDraft): TokenNotes {
    const stored = new Set(this.#options.tokens.names());
    const noteOf = (service: ServiceName): TokenNotes['repositoryToken'] => {
      const { kind } = changeOf(draft, service);
      if (kind === 'set') return kind;
      return stored.has(tokenName(id, service)) ? tokenWords[kind] : undefined;
    };
    const [repositoryToken, ruleEditorToken] = [noteOf('repository'), noteOf('rule-editor')];
    return { ...(repositoryToken && { repositoryToken }), ...(ruleEditorToken && { ruleEditorToken }) };
  }

  async #storeToken(name: string, change: TokenChange, takeBack: (() => Promise<void>)[]): Promise<void> {
    const { tokens, keepOutOfLogs } = this.#options;
    if (change.kind === 'clear') return tokens.delete(name);
    if (change.kind === 'keep') return;
    const before = await this.#readableToken(name);
    keepOutOfLogs(change.token);
    await tokens.set(name, change.token);
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
};

/** What cannot be used is reported now, and not by each call that is made with it. */
function rowOf(id: string, draft: WorkspaceDraft): WorkspaceRow {
  const { name, allowHttp, trust, timeouts, options } = draft;
  if (trust.kind === 'authority') readAuthority(trust.pem);
  const addressed = (service: { baseUrl: string } | null): { baseUrl: string } | null =>
    service && { baseUrl: checkAddress(service.baseUrl, { allowHttp }) };
  return {
    id,
    name,
    repository: addressed(draft.repository),
    ruleEditor: addressed(draft.ruleEditor),
    allowHttp,
    trust,
    timeouts,
    options,
  };
}

function viewOf(row: WorkspaceRow, tokens: ReadonlySet<string>): WorkspaceView {
  const view = (service: ServiceName): WorkspaceView['repository'] => {
    const baseUrl = addressOf(row, service);
    return baseUrl === null ? null : { baseUrl, hasToken: tokens.has(tokenName(row.id, service)) };
  };
  return { ...row, builtIn: false, repository: view('repository'), ruleEditor: view('rule-editor') };
}

function addressOf(row: Addressed, service: ServiceName): string | null {
  return (service === 'repository' ? row.repository : row.ruleEditor)?.baseUrl ?? null;
}

/** A service taken out of a workspace takes its token along. */
function changeOf(draft: WorkspaceDraft, service: ServiceName): TokenChange {
  return (service === 'repository' ? draft.repository : draft.ruleEditor)?.token ?? { kind: 'clear' };
}

/** The base of an edit: whether there is a token matters where it puts one in or takes one out. */
function seenBy(draft: WorkspaceDraft, view: WorkspaceView): object {
  const seen = (service: ServiceName, stored: WorkspaceView['repository']): object | null =>
    stored && { baseUrl: stored.baseUrl, hasToken: changeOf(draft, service).kind !== 'keep' && stored.hasToken };
  return { ...view, repository: seen('repository', view.repository), ruleEditor: seen('rule-editor', view.ruleEditor) };
}

const tokenWords = { keep: 'kept', clear: 'cleared' } as const;

const movesHost = (from: string | null, to: string | null): boolean =>
  from !== null && to !== null && new URL(from).origin !== new URL(to).origin;

function withoutToken(draft: WorkspaceDraft, service: ServiceName): WorkspaceDraft {
  const cleared = (one: WorkspaceDraft['repository']): WorkspaceDraft['repository'] =>
    one && { ...one, token: { kind: 'clear' } };
  return service === 'repository'
    ? { ...draft, repository: cleared(draft.repository) }
    : { ...draft, ruleEditor: cleared(draft.ruleEditor) };
}
