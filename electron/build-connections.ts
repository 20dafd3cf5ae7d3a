import { join } from 'node:path';
import {
  defaultRepositoryOptions,
  defaultTimeouts,
  labWorkspaceId,
  type RepositoryOptions,
} from '../shared/domain/workspace.ts';
import { recordsAtOnce } from '../shared/domain/settings.ts';
import { readProxy } from './api/client/proxy.ts';
import { type Connect, createConnect } from './api/connections.ts';
import { WorkspaceSlots } from './jobs/workspace-slots.ts';
import { defectLog, type Foundation } from './services.ts';
import { LabSupervisor } from './services/lab-supervisor.ts';
import { PackagePasswords } from './services/publications/package-passwords.ts';

export interface Connections {
  connect: Connect;
  passwords: PackagePasswords;
  lab: LabSupervisor;
  slots: WorkspaceSlots;
  /** For records, which are small: a download and its records do not wait for each other. */
  recordSlots: WorkspaceSlots;
  repositoryOptions(workspaceId: string): RepositoryOptions | null;
  keepOutOfLogs(secret: string): void;
  proxyFor(address: string): Promise<string | null>;
}

/** The way to the services of every workspace, the lab of this computer among them. */
export function buildConnections(foundation: Foundation): Connections {
  const { platform, stores, events } = foundation;
  const { log, settings, tokens, workspaces } = stores;
  const keepOutOfLogs = (secret: string): void => log.addSecret(secret);
  const proxyFor = async (address: string): Promise<string | null> => {
    const named = await platform.proxyFor(address);
    const proxy = named === null ? null : readProxy(named);
    if (proxy !== null && 'kind' in proxy && proxy.login !== null) keepOutOfLogs(proxy.login.password);
    return named;
  };
  const passwords: PackagePasswords = new PackagePasswords({
    tokens,
    keepOutOfLogs,
    exportPassword: () => settings.read().values.exportPassword,
    changed: (id) => id === labWorkspaceId && lab.sharePassword(),
  });
  const lab: LabSupervisor = new LabSupervisor({
    platform,
    events,
    keepOutOfLogs,
    dataDirectory: join(platform.dataDirectory, 'lab'),
    packagePassword: () => passwords.own(labWorkspaceId),
    logDefect: defectLog(foundation, 'lab'),
    logExit: (exit) => log.write('warn', 'lab.exit', exit),
    redact: (text) => log.redact(text),
    logPath: log.path,
  });
  tokens.onChange(() => lab.sharePassword());
  const connect = createConnect({
    workspace: (id) => workspaces.get(id),
    token: (name) => tokens.get(name),
    lab: () => lab.address(),
    labTimeouts: defaultTimeouts,
    proxyFor,
    keepOutOfLogs,
    noteAction: (place, action, answers) => {
      if (stores.serverActions.note(place, action, answers))
        events.emit({ name: 'servers.changed', payload: { workspaceId: place.workspaceId } });
    },
  });
  return {
    connect,
    passwords,
    lab,
    slots: new WorkspaceSlots(() => settings.read().values.bulkConnections),
    recordSlots: new WorkspaceSlots(() => recordsAtOnce(settings.read().values.bulkConnections)),
    repositoryOptions: (id) =>
      id === labWorkspaceId ? defaultRepositoryOptions : (workspaces.get(id)?.options ?? null),
    keepOutOfLogs,
    proxyFor,
  };
}
