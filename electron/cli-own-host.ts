import { fail, failed, FailureError, type Result, type ServiceName, success } from '../shared/failure.ts';
import type { HostClient } from './cli/client.ts';
import { compose, type Host } from './compose.ts';
import { createNodePlatform } from './platform/node-platform.ts';
import { type DataChoice, findDataDirectory } from './storage/directory/data-location.ts';

export interface OwnHost {
  client: HostClient;
  lend(workspaceId: string, service: ServiceName, token: string): void;
}

/**
 * A host for one command, in its own process. Fails as `findDataDirectory` and the stores do: with `data-in-use` while
 * another process has the data.
 */
export async function openOwnHost(choice: DataChoice): Promise<OwnHost> {
  const dataDirectory = findDataDirectory(choice);
  const platform = createNodePlatform({ dataDirectory, namedDirectory: choice.named, exportFolder: null });
  const host = await compose({ platform, exportFolder: null, background: false });
  return { client: clientTo(host), lend: host.lendToken };
}

function clientTo(host: Host): HostClient {
  return {
    kind: 'own',
    call: (name, input) => answered(host.dispatch(name, input)),
    subscribe: async (name, listener) => {
      const report: (payload: never) => void = listener;
      // The hub's payload is that of the event's name, which was compared.
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion
      return host.events.subscribe((event) => event.name === name && report(event.payload as never));
    },
    stageFile: (path) => host.staging.stagePath(path).then(success, failureOf),
    nameFolder: async (path) => host.nameFolder(path),
    take: (id) => (host.exports.take(id) ?? fail({ kind: 'export-gone' })).open(),
    close: () => host.close(),
  };
}

/** The dispatcher has checked the value by the schema of its operation. */
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const answered = async (answer: Promise<Result<unknown>>): Promise<Result<never>> => (await answer) as Result<never>;

function failureOf(error: unknown): Result<never> {
  if (error instanceof FailureError) return failed(error.failure);
  throw error;
}
