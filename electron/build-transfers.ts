import type { RepositoryOptions } from '../shared/domain/workspace.ts';
import type { Connections } from './build-connections.ts';
import { type Foundation, type Services, defectLog } from './services.ts';
import { Comments } from './services/comments/comments.ts';
import { BulkDownloads } from './services/downloads/bulk/bulk-downloads.ts';
import { Downloads } from './services/downloads/downloads.ts';
import { Publishing } from './services/publishing.ts';
import { UploadRepairs } from './services/uploads/upload-repairs.ts';
import { Uploads } from './services/uploads/uploads.ts';
import { Watch } from './services/watch/watch.ts';

/** What brings samples here and sends them away. `services` is called when work is done, never while building. */
export function buildTransfers(
  foundation: Foundation,
  { connect, slots, repositoryOptions }: Connections,
  services: () => Services,
): Pick<Services, 'bulk' | 'downloads' | 'uploads' | 'uploadRepairs' | 'watch' | 'comments' | 'publishing'> {
  const { platform, stores, vault, staging, facts, largeFacts, events, logDefect } = foundation;
  const { settings, library } = stores;
  const bulk = new BulkDownloads({ connect, vault, library, slots, settings: () => settings.read().values });
  const uploads = new Uploads({
    connect,
    library,
    staging,
    facts,
    largeFacts,
    events,
    slots,
    repositoryOptions,
    store: stores.uploads,
    settings: () => settings.read().values,
    jobs: () => services().jobs,
    decodingLearnt: (id, decodesComments) => learnOptions(foundation, id, { decodesComments }),
    logDefect: defectLog(foundation, 'uploads'),
  });
  const comments = new Comments({
    connect,
    library,
    events,
    repositoryOptions,
    store: stores.comments,
    reader: stores.commentReader,
    rememberForm: (id, commentForm) => learnOptions(foundation, id, { commentForm }),
    logDefect: defectLog(foundation, 'comments'),
  });
  return {
    bulk,
    uploads,
    uploadRepairs: new UploadRepairs({
      connect,
      uploads: stores.uploads,
      items: stores.jobs,
      jobs: () => services().jobs,
      mayUse: (id, action) => services().servers.mayUse(id, action),
      changeRecord: (request) => services().servers.changeRecord(request),
    }),
    comments,
    downloads: new Downloads({
      connect,
      vault,
      library,
      events,
      platform,
      logDefect,
      makePreviews: (sha256s) => services().previews.previews(sha256s),
    }),
    watch: buildWatch(foundation, repositoryOptions, services),
    publishing: new Publishing({ connect, staging }),
  };
}

function buildWatch(
  foundation: Foundation,
  repositoryOptions: Connections['repositoryOptions'],
  services: () => Services,
): Watch {
  const { platform, stores, staging, facts, events } = foundation;
  return new Watch({
    staging,
    facts,
    events,
    store: stores.watch,
    dataDirectory: platform.dataDirectory,
    chooseFolder: () => platform.chooseFolder('watch'),
    hasWorkspace: (id) => repositoryOptions(id) !== null,
    draft: (id, files) => services().uploads.addHeld(id, files),
    placeMoved: (id, contents) => services().uploads.placeMoved(id, contents),
    placeLost: () => services().uploads.placeLost(),
    scan: async (id, files) => (await services().scans.startWatched(id, files))?.id ?? null,
    job: (id) =>
      services()
        .jobs.list()
        .find((job) => job.id === id) ?? null,
    logDefect: defectLog(foundation, 'watch'),
  });
}

/** What an answer showed of a repository. The built-in lab has no row for it, and the documented form. */
function learnOptions(
  { stores: { workspaces }, events }: Foundation,
  id: string,
  learnt: Partial<RepositoryOptions>,
): void {
  const row = workspaces.get(id);
  if (row === null) return;
  workspaces.replace({ ...row, options: { ...row.options, ...learnt } });
  events.emit({ name: 'workspaces.changed', payload: {} });
}
