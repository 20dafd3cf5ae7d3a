import { Buffer } from 'node:buffer';
import type { Handlers } from '../shared/contract.ts';
import { authorityPem } from './api/client/trust.ts';
import type { Services } from './services.ts';

/** The handlers of operations whose names begin with one of these nouns. */
type HandlersFor<Noun extends string> = Pick<Handlers, Extract<keyof Handlers, `${Noun}.${string}`>>;

/** One line an operation: which service does it, and what it is given of the input. */
export function handlersOf(services: Services): Handlers {
  return {
    ...programHandlers(services),
    ...upkeepHandlers(services),
    ...samplesHandlers(services),
    ...jobsHandlers(services),
    ...libraryHandlers(services),
    ...rulesHandlers(services),
    ...scansHandlers(services),
  };
}

function programHandlers({
  host,
  folders,
  lab,
  workspaces,
  servers,
  downloads,
  uploads,
  publications,
  publishing,
  scans,
  jobs,
  diagnostics,
  stores,
}: Services): HandlersFor<'host' | 'settings' | 'secrets' | 'workspaces' | 'servers' | 'lab' | 'diagnostics'> {
  const { settings, tokens } = stores;
  return {
    'host.describe': async () => host.describe({ secrets: tokens.state(), lab: lab.state }),
    'host.openDataFolder': async () => (await host.openDataFolder(), {}),
    'host.openLog': async () => (await host.openLog(), {}),
    'host.chooseExportFolder': () => host.chooseExportFolder(),
    'host.folders': ({ folder }) => folders.list(folder),
    'host.makeFolder': ({ parent, name }) => folders.make(parent, name),
    'settings.read': async () => settings.read(),
    'settings.change': async (change) => {
      const values = settings.change(change);
      scans.settingsChanged();
      return { values };
    },
    'secrets.create': ({ passphrase }) => tokens.create(passphrase),
    'secrets.unlock': async ({ passphrase }) => {
      const unlocked = await tokens.unlock(passphrase);
      jobs.resumeHaltedBy('secrets-locked');
      return unlocked;
    },
    'secrets.forget': () => tokens.forget(),
    'workspaces.list': () => workspaces.list(),
    'workspaces.add': (draft) => workspaces.add(draft),
    'workspaces.readAuthority': async ({ base64 }) => ({ pem: authorityPem(Buffer.from(base64, 'base64')) }),
    'workspaces.edit': (request) => workspaces.edit(request),
    'workspaces.remove': async ({ id, forgetLibrary }) => {
      const stopWork = (): Promise<unknown> => Promise.all([downloads.cancelAllOf(id), jobs.cancelAllOf(id)]);
      const staged = await workspaces.remove(id, { forgetLibrary, stopWork });
      await uploads.discard(staged);
      await publications.workspaceRemoved(id);
      return {};
    },
    'workspaces.switch': async ({ id }) => (workspaces.switch(id), {}),
    'servers.actions': async ({ workspaceId }) => servers.actions(workspaceId),
    'servers.findActions': ({ workspaceId }) => servers.findActions(workspaceId),
    'servers.search': (request) => servers.search(request),
    'servers.searchByQuery': (request) => servers.searchByQuery(request),
    'servers.tags': (request) => servers.tags(request),
    'servers.changeRecord': (request) => servers.changeRecord(request),
    'workspaces.test': async ({ id, draft }) => ({ tests: await workspaces.test(id, draft) }),
    'lab.publications': async () => ({ publications: await publishing.list() }),
    'lab.publish': (request) => publishing.publish(request),
    'lab.start': async () => {
      await lab.startAgain();
      return {};
    },
    'lab.sampleFiles': async () => ({ sampleFiles: lab.sampleFiles }),
    'diagnostics.save': (request) => diagnostics.save(request),
    'diagnostics.showFolder': async () => (await diagnostics.showFolder(), {}),
  };
}

function upkeepHandlers({
  host,
  folders,
  watch,
  journal,
  storage,
  dataMoves,
  backups,
}: Services): HandlersFor<'journal' | 'storage' | 'watch'> {
  // Named by a person at a terminal, or chosen in the page. The latter is for these two alone, and for no export.
  const folderOf = async (id: string | undefined): Promise<string | null> =>
    id === undefined ? null : ((await folders.pathOf(id)) ?? host.namedFolder(id));
  return {
    'journal.list': (request) => journal.list(request),
    'journal.workspaces': async () => ({ workspaces: await journal.workspaces() }),
    'journal.position': async ({ number }) => ({ offset: await journal.position(number) }),
    'journal.export': async ({ folder, ...request }) =>
      journal.export(request, await host.folderTo(request.to, folder)),
    'journal.verify': () => journal.verify(),
    'storage.state': async () => ({
      ...(await storage.state()),
      oldCopy: await dataMoves.oldCopy(),
      lastBackup: backups.last(),
      backupFolder: await backups.folder(),
    }),
    'storage.check': () => storage.startCheck(),
    'storage.cleanUp': () => storage.cleanUp(),
    'storage.backUp': async ({ folder, startOver }) => backups.start(await folderOf(folder), { startOver }),
    'storage.planMove': async () => ({ plan: await dataMoves.plan() }),
    'storage.move': async () => (dataMoves.move(), {}),
    'storage.removeOldCopy': () => dataMoves.removeOldCopy(),
    'watch.state': () => watch.checkedState(),
    'watch.chooseFolder': async ({ folder }) => watch.chooseFolder(await folderOf(folder)),
    'watch.turn': ({ isOn, workspaceId }) => watch.turn(isOn, workspaceId),
    'watch.clear': async () => watch.clear(),
  };
}

function samplesHandlers({
  host,
  samples,
  downloads,
  bulk,
  exports,
  uploads,
  uploadRepairs,
  comments,
  library,
  triages,
  jobs,
  stores: { jobReader },
}: Services): HandlersFor<'samples' | 'downloads' | 'bulk' | 'triage' | 'uploads' | 'comments'> {
  return {
    'samples.lookup': ({ workspaceId, hash, firstComments }) => samples.lookup(workspaceId, hash, firstComments),
    'samples.history': async ({ hash }) => ({ rows: samples.history(hash) }),
    'samples.hits': async (request) => samples.hits(request),
    'samples.tag': (request) => samples.tag(request),
    'samples.inVault': (request) => samples.inVault(request),
    'samples.exportZip': async (request) =>
      request.to === 'folder'
        ? exports.toFolder(request, await host.folderFor(undefined))
        : exports.forBrowser(request),
    'downloads.start': async ({ workspaceId, md5 }) => downloads.start(workspaceId, md5),
    'downloads.cancel': async ({ id }) => (downloads.cancel(id), {}),
    'downloads.list': async () => ({ downloads: downloads.list() }),
    'bulk.check': async ({ hashes }) => ({ verdicts: await bulk.check(hashes) }),
    'bulk.create': async ({ workspaceId, records = false }) => ({
      id: jobs.create({ kind: 'bulk-download', records }, workspaceId),
    }),
    'bulk.add': async ({ id, hashes }) => ({ items: await bulk.addTo(jobs, id, hashes) }),
    'bulk.start': async ({ id }) => jobs.begin(id),
    'triage.create': async ({ workspaceId }) => ({ id: jobs.create({ kind: 'triage' }, workspaceId) }),
    'triage.add': async ({ id, hashes }) => ({ items: await triages.addTo(jobs, id, hashes) }),
    'triage.start': async ({ id }) => jobs.begin(id),
    'triage.rows': (request) => jobReader.triageRows(request),
    'triage.counts': ({ id }) => jobReader.triageCounts(id),
    'triage.selected': (request) => jobReader.triageSelected(request),
    'triage.ticked': (request) => jobReader.triageTicked(request),
    'uploads.draft': async ({ workspaceId }) => uploads.draft(workspaceId),
    'uploads.files': async ({ workspaceId, offset, limit }) => uploads.files(workspaceId, offset, limit),
    'uploads.add': async ({ workspaceId, files, ...intake }) => ({ ids: uploads.add(workspaceId, files, intake) }),
    'uploads.openArchive': async ({ id, password }) => (await uploads.openArchive(id, password), {}),
    'uploads.readNames': async ({ id, encoding }) => (await uploads.readNames(id, encoding), {}),
    'uploads.change': ({ workspaceId, target, change }) => uploads.change(workspaceId, target, change),
    'uploads.ticked': ({ workspaceId }) => uploads.ticked(workspaceId),
    'uploads.remove': async ({ workspaceId, target }) => (await uploads.remove(workspaceId, target), {}),
    'uploads.comment': async ({ workspaceId, text }) => (uploads.comment(workspaceId, text), {}),
    'uploads.ask': async ({ workspaceId }) => (uploads.askAgain(workspaceId), {}),
    'uploads.tags': async ({ beginning }) => ({ tags: (await library.suggest({ kind: 'tag', beginning })).choices }),
    'uploads.altered': async (request) => uploadRepairs.altered(request),
    'uploads.repair': (request) => uploadRepairs.repair(request),
    'uploads.send': ({ workspaceId, only }) => uploads.send(workspaceId, only),
    'comments.older': ({ workspaceId, md5, before }) => comments.older(workspaceId, md5, before),
    'comments.thread': ({ workspaceId, md5, window }) => comments.thread(workspaceId, md5, window),
    'comments.draft': async ({ workspaceId, md5 }) => comments.draft(workspaceId, md5),
    'comments.saveDraft': async (request) => ({ stored: comments.saveDraft(request) }),
    'comments.send': async ({ workspaceId, md5, draft, keepsDraft }) => ({
      id: await comments.send(workspaceId, md5, draft, keepsDraft),
    }),
    'comments.sendAgain': async ({ id }) => (await comments.sendAgain(id), {}),
    'comments.settle': async ({ id }) => (await comments.settle(id), {}),
    'comments.discard': async ({ id }) => (comments.discard(id), {}),
    'comments.list': async ({ workspaceId, find, offset, limit }) => comments.list(workspaceId, find, offset, limit),
  };
}

function jobsHandlers({
  host,
  exportJobs,
  cases,
  bundles,
  sampleBytes,
  jobs,
  stores,
}: Services): HandlersFor<'jobs' | 'exports' | 'cases' | 'bundles' | 'bytes'> {
  const { jobReader } = stores;
  return {
    'jobs.list': async () => ({ jobs: jobs.list() }),
    'jobs.items': (request) => jobReader.items(request),
    'jobs.pause': async ({ id }) => (jobs.pause(id), {}),
    'jobs.resume': async ({ id }) => (jobs.resume(id), {}),
    'jobs.cancel': async ({ id }) => (jobs.cancel(id), {}),
    'jobs.retry': async ({ id, states }) => (jobs.retry(id, states), {}),
    'jobs.forget': async ({ id }) => (jobs.forget(id), {}),
    'jobs.exportItems': async ({ to, ...file }) => exportJobs.itemsFile(file, to, await host.folderTo(to)),
    'exports.start': async ({ selection, as, folder }) => exportJobs.start(selection, as, await host.folderFor(folder)),
    'exports.prepare': ({ selection, ...protection }) => exportJobs.prepare(selection, protection),
    'cases.start': async ({ folder, ...request }) => cases.start(request, await host.folderFor(folder)),
    'cases.prepare': async ({ to = 'browser', folder, ...request }) => (
      await host.folderTo(to, folder),
      cases.prepare(request, to)
    ),
    'bundles.signer': () => bundles.signer(),
    'bundles.start': async ({ folder, ...request }) => bundles.start(request, await host.folderFor(folder)),
    'bundles.prepare': (request) => bundles.prepare(request),
    'bundles.open': ({ stagedId, passphrase }) => bundles.open(stagedId, passphrase),
    'bundles.opening': async () => ({ opening: bundles.opening }),
    'bundles.close': async ({ id }) => (await bundles.closeOpening(id), {}),
    'bundles.import': async ({ id, workspaceId }) => bundles.import(id, workspaceId),
    'bytes.read': ({ source, window }) => sampleBytes.read(source, window),
    'bytes.find': ({ source, pattern, from, backwards, search }) =>
      sampleBytes.find(source, pattern, from, backwards, search),
    'bytes.stopFind': async ({ search }) => (sampleBytes.stopFind(search), {}),
    'bytes.map': ({ source }) => sampleBytes.map(source),
  };
}

function libraryHandlers({ additions, library, previews, stores }: Services): HandlersFor<'library' | 'views'> {
  const { library: store } = stores;
  return {
    'library.list': (request) => library.list(request),
    'library.totals': (request) => library.totals(request),
    'library.sample': async ({ hash }) => library.sample(hash),
    'library.facts': (request) => library.facts(request),
    'library.change': (request) => library.change(request),
    'library.draftChange': async (request) => library.draftChange(request),
    'library.addToChange': async (request) => (await library.addToChange(request), {}),
    'library.beginChange': async (request) => (library.beginChange(request), {}),
    'library.readRecords': (request) => library.readRecords(request),
    'library.draftAdd': async ({ opensArchives }) => ({ job: additions.draft(opensArchives) }),
    'library.addFiles': async ({ job, files }) => ({ files: additions.addFiles(job, files) }),
    'library.beginAdd': async ({ job, passwords }) => additions.begin(job, passwords),
    'library.added': async ({ job, toSee = false, offset, limit }) => additions.added(job, { toSee, offset, limit }),
    'library.note': async (request) => (library.note(request), {}),
    'library.meant': (request) => library.meant(request),
    'library.forget': (request) => library.forget(request),
    'library.suggest': (request) => library.suggest(request),
    'library.previews': async ({ sha256s }) => ({ previews: await previews.previews(sha256s) }),
    'library.count': async () => store.count(),
    'views.list': async () => ({ views: library.listViews() }),
    'views.save': async (view) => library.saveView(view),
    'views.rename': async ({ id, name }) => library.renameView(id, name),
    'views.remove': async ({ id }) => (library.removeView(id), {}),
    'views.move': async ({ id, before }) => (library.moveView(id, before), {}),
  };
}

function rulesHandlers({ host, publications, packageReading, mutes }: Services): HandlersFor<'publications' | 'mutes'> {
  return {
    'publications.state': async ({ workspaceId }) => publications.state(workspaceId),
    'publications.check': async ({ workspaceId }) => (publications.check(workspaceId), {}),
    'publications.cancelCheck': async ({ workspaceId }) => (publications.cancelCheck(workspaceId), {}),
    'publications.addFile': async ({ workspaceId, stagedId, version }) => (
      publications.addFile(workspaceId, stagedId, version),
      {}
    ),
    'publications.addFiles': async ({ workspaceId, ...given }) => ({ list: publications.addFiles(workspaceId, given) }),
    'publications.convert': async ({ workspaceId, sha256 }) => (publications.convert(workspaceId, sha256), {}),
    'publications.activate': ({ workspaceId, sha256, removesMany }) =>
      publications.activate(workspaceId, sha256, removesMany),
    'publications.pin': ({ workspaceId, sha256 }) => publications.pin(workspaceId, sha256),
    'publications.remove': ({ workspaceId, sha256 }) => publications.remove(workspaceId, sha256),
    'publications.export': async (request) => publications.export(request, await host.folderTo(request.to)),
    'publications.setOptions': ({ workspaceId, options, password }) =>
      publications.setOptions(workspaceId, options, password),
    'publications.difference': ({ workspaceId, from, to, ...window }) =>
      packageReading.difference(workspaceId, from, to, window),
    'publications.review': ({ workspaceId, from, to, ...asked }) => packageReading.review(workspaceId, from, to, asked),
    'publications.patch': ({ workspaceId, from, to, at }) => packageReading.patch(workspaceId, from, to, at),
    'publications.exportDifference': async (request) =>
      publications.exportDifference(request, await host.folderTo(request.to)),
    'publications.ruleDifference': ({ workspaceId, from, to, ...numbers }) =>
      packageReading.ruleDifference(workspaceId, from, to, numbers),
    'publications.rules': (request) => packageReading.list(request),
    'publications.explain': ({ workspaceId, sha256, number }) => packageReading.explain(workspaceId, sha256, number),
    'publications.ruleNames': ({ workspaceId, find, limit }) => packageReading.named(workspaceId, find, limit),
    'publications.rule': ({ workspaceId, sha256, number }) => packageReading.rule(workspaceId, sha256, number),
    'publications.ruleToTry': ({ workspaceId, sha256, number }) =>
      packageReading.ruleToTry(workspaceId, sha256, number),
    'publications.ruleFacts': ({ workspaceId, sha256, number }) => packageReading.facts(workspaceId, sha256, number),
    'publications.rulePackages': ({ workspaceId, sha256, key }) =>
      packageReading.packagesWith(workspaceId, sha256, key),
    'mutes.list': async ({ workspaceId }) => ({ mutes: await mutes.list(workspaceId) }),
    'mutes.add': (draft) => mutes.add(draft),
    'mutes.change': ({ id, change }) => mutes.change(id, change),
    'mutes.confirm': ({ id }) => mutes.confirm(id),
    'mutes.remove': async ({ id }) => (mutes.remove(id), {}),
    'mutes.undo': async (step) => (mutes.undo(step), {}),
  };
}

function scansHandlers({
  host,
  scans,
  trials,
  ruleTrials,
  ruleCosts,
}: Services): HandlersFor<'ruleTrials' | 'ruleCosts' | 'trials' | 'scans' | 'hunts'> {
  return {
    'ruleTrials.check': ({ workspaceId, source }) => ruleTrials.check(workspaceId, source),
    'ruleTrials.start': ({ workspaceId, source, scope }) => ruleTrials.start(workspaceId, source, scope),
    'ruleTrials.state': async ({ id }) => ({ trial: ruleTrials.state(id) }),
    'ruleTrials.cost': ({ workspaceId, sha256, key }) => ruleCosts.one(workspaceId, sha256, key),
    'ruleTrials.cancel': async ({ id }) => (ruleTrials.cancel(id), {}),
    'ruleCosts.start': ({ workspaceId }) => ruleCosts.start(workspaceId),
    'ruleCosts.state': async ({ workspaceId }) => ({ measurement: ruleCosts.state(workspaceId) }),
    'ruleCosts.cancel': async ({ workspaceId }) => (ruleCosts.cancel(workspaceId), {}),
    'trials.start': async ({ workspaceId, sha256, files }) =>
      trials.start(
        workspaceId,
        sha256,
        files.map(({ id }) => id),
      ),
    'trials.state': async ({ workspaceId }) => ({ trial: trials.state(workspaceId) }),
    'trials.cancel': async ({ workspaceId }) => (trials.cancel(workspaceId), {}),
    'scans.plan': ({ workspaceId, isAhead }) => scans.plan(workspaceId, isAhead),
    'scans.start': (request) => scans.start(request),
    'scans.summary': ({ jobId }) => scans.summary(jobId),
    'scans.groups': (request) => scans.groups(request),
    'scans.file': ({ jobId, position }) => scans.file(jobId, position),
    'scans.files': async ({ jobId, positions }) => ({ files: await scans.files(jobId, positions) }),
    'scans.export': async (request) => scans.export(request, await host.folderTo(request.to)),
    'hunts.estimate': (request) => scans.estimate(request),
    'hunts.start': (request) => scans.startHunt(request),
  };
}
