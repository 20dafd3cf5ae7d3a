import { z } from 'zod';
import { itemStates, jobKind } from '../../../shared/domain/job.ts';
import { journalOperation } from '../../../shared/domain/journal.ts';
import { ruleOptions } from '../../../shared/domain/publication.ts';
import { plainFields } from '../../../shared/domain/schema-parts.ts';
import { defaultSettings, settings, settingSchemas } from '../../../shared/domain/settings.ts';
import {
  frontSetting,
  labWorkspaceId,
  type ProxySetting,
  proxySetting,
  repositoryOptions,
  timeouts,
  trust,
} from '../../../shared/domain/workspace.ts';
import { isFailureKind } from '../../../shared/failure-kinds.ts';
import type { JobCount, StoredFailures, StoredSettings } from '../../storage/database/database-summary.ts';
import { defectId, filteredFailure, type Redact, stepOf } from './log-filter.ts';

const mostRows = 200;
const unknown = 'unknown to this version';

const addressed = z.object({ baseUrl: z.string() }).nullable();
const workspaceBody = z.object({
  repository: addressed,
  ruleEditor: addressed,
  allowHttp: z.boolean(),
  trust,
  timeouts,
  options: repositoryOptions.optional(),
  proxy: proxySetting.optional(),
  front: frontSetting.optional(),
});

/**
 * Settings and workspaces as they are set, without a name, an address, a password or a folder: workspaces and servers
 * are numbered.
 */
export function settingsFacts({ settings: stored, workspaces, ruleUpdates, watchedFolder }: StoredSettings): object {
  const names = new Placeholders();
  const known = settings.keyof().options;
  const password = stored.get('exportPassword');
  const current = stored.get('currentWorkspace');
  return {
    values: plainFields(settingSchemas, { ...defaultSettings, ...Object.fromEntries(stored) }),
    exportPassword: password === undefined || password === defaultSettings.exportPassword ? 'default' : 'changed',
    currentWorkspace: typeof current === 'string' ? names.workspace(current) : labWorkspaceId,
    changed: known.filter((name) => stored.has(name)),
    unreadable: known.filter((name) => stored.has(name) && !settingSchemas[name].safeParse(stored.get(name)).success),
    workspaces: workspaces.map(({ id, body }) => ({ workspace: names.workspace(id), ...workspaceFacts(body, names) })),
    ruleUpdates: ruleUpdates.map(({ id, options }) => ({ workspace: names.workspace(id), ...ruleFacts(options) })),
    watchedFolder,
  };
}

function workspaceFacts(body: unknown, names: Placeholders): object {
  const read = workspaceBody.safeParse(body);
  if (!read.success) return { leftOut: 'row unreadable' };
  const { repository, ruleEditor, allowHttp, trust: how, timeouts: limits, options, proxy, front } = read.data;
  return {
    repository: repository && names.server(repository.baseUrl),
    ruleEditor: ruleEditor && names.server(ruleEditor.baseUrl),
    allowHttp,
    trust: how.kind,
    timeouts: limits,
    options: options === undefined ? 'default' : plainFields(repositoryOptions.shape, options),
    proxy: proxy === undefined ? 'default' : proxyFacts(proxy),
    front: {
      basic: (front?.basic ?? null) !== null,
      clientCertificate: front?.clientCertificate?.kind ?? null,
    },
  };
}

const proxyFacts = (proxy: ProxySetting): string =>
  proxy.kind === 'fixed'
    ? `${proxy.address.split(':')[0]}${proxy.username === null ? '' : ', with a user name'}`
    : proxy.kind;

function ruleFacts(options: unknown): object {
  if (options === null) return { options: 'default' };
  return typeof options === 'object' ? plainFields(ruleOptions.shape, options) : { leftOut: 'unreadable' };
}

export const jobsFacts = ({ jobs, items }: { jobs: JobCount[]; items: JobCount[] }): object => ({
  jobs: jobs.map(countFacts),
  items: items.map(countFacts),
});

const countFacts = ({ kind, state, count }: JobCount): object => ({ kind: kindOf(kind), state: stateOf(state), count });
const jobStates = ['draft', 'waiting', 'running', 'paused', 'done', 'cancelled'];
const kindOf = (kind: string | null): string => jobKind.safeParse(kind).data ?? unknown;
const stateOf = (state: string): string => [...jobStates, ...itemStates].find((known) => known === state) ?? unknown;

/** Of jobs, of their items, and in the journal: kinds, numbers and times. */
export function failureFacts({ jobs, items, journal }: StoredFailures, redact: Redact): object {
  const failed = journal.filter(({ outcome }) => isFailureKind(outcome)).slice(0, mostRows);
  return {
    jobs: jobs.map(({ id, kind, state, ended, failure }) => ({
      job: id,
      kind: kindOf(kind),
      state: stateOf(state),
      ended: instant(ended),
      failure: filteredFailure(failure, redact),
    })),
    items: items.map(({ job, failures }) => ({ job, failures: countedKinds(failures) })),
    journal: failed.map(({ number, time, operation, outcome }) => ({
      row: number,
      time: instant(time),
      operation: journalOperation.safeParse(operation).data ?? unknown,
      outcome,
    })),
  };
}

function countedKinds(failures: readonly unknown[]): Record<string, number> {
  const found: Record<string, number> = {};
  for (const failure of failures) {
    const kind = z.object({ kind: z.string() }).safeParse(failure).data?.kind;
    const word = kind !== undefined && isFailureKind(kind) ? kind : unknown;
    found[word] = (found[word] ?? 0) + 1;
  }
  return found;
}

/** What the program that runs answered with. The id of a defect leads to its entry in the log. */
export function recentFacts(
  recent: readonly { time: string; operation: string; failure: unknown }[],
  redact: Redact,
): object[] {
  return recent.map(({ time, operation, failure }) => ({
    time: instant(time),
    operation: stepOf(operation),
    ...filteredFailure(failure, redact),
    ...idOf(failure),
  }));
}

function idOf(failure: unknown): object {
  const id = defectId(z.object({ id: z.string() }).safeParse(failure).data?.id);
  return id === undefined ? {} : { id };
}

const instant = (text: string | null): string | null =>
  text !== null && /^\d{4}-\d\d-\d\dT[\d:.]{5,12}Z$/.test(text) ? text : null;

/**
 * Replaces the names of workspaces and servers: the same one is `server-1` everywhere in a file, and nothing leads back
 * to it.
 */
class Placeholders {
  readonly #workspaces = new Map<string, string>();
  readonly #servers = new Map<string, string>();

  /** The built-in one has no name of the person's. */
  workspace(id: string): string {
    return id === labWorkspaceId ? labWorkspaceId : numbered(this.#workspaces, id, 'workspace');
  }

  /** `https://server-1:port/path`: without what names it, and with what distinguishes two of them. */
  server(address: string): string {
    const url = URL.parse(address);
    if (url === null) return 'an address that cannot be read';
    const scheme = url.protocol === 'https:' ? 'https' : 'http';
    const host = numbered(this.#servers, url.host, 'server');
    const port = url.port === '' ? '' : ':port';
    const path = url.pathname === '/' ? '' : '/path';
    return `${scheme}://${host}${port}${path}`;
  }
}

function numbered(known: Map<string, string>, name: string, word: string): string {
  const placeholder = known.get(name) ?? `${word}-${known.size + 1}`;
  known.set(name, placeholder);
  return placeholder;
}
