import { JobRunner } from './jobs/job-runner.ts';
import { type Foundation, type Services, defectLog } from './services.ts';
import { ExportJobs } from './services/exports/export-jobs.ts';

/** The runner is given what does the work of each kind of job; exports make jobs of their own. */
export function buildJobs(
  foundation: Foundation,
  workers: Omit<Services, 'jobs' | 'exportJobs' | 'host' | 'diagnostics'>,
): Pick<Services, 'jobs' | 'exportJobs'> {
  const { platform, stores, vault, events, logDefect } = foundation;
  const exportJobs = new ExportJobs({
    computerId: stores.backups.installationId,
    vault,
    library: stores.library,
    libraryReader: stores.libraryReader,
    items: stores.jobReader,
    exports: workers.exports,
    jobs: () => jobs,
  });
  const { cases, bundles, uploads, additions, scans } = workers;
  const jobs: JobRunner = new JobRunner({
    store: stores.jobs,
    runs: jobRuns(workers, exportJobs),
    interrupted: {
      export: (job) => exportJobs.cleanUp(job),
      'case-export': (job) => cases.cleanUp(job),
      bundle: (job) => bundles.cleanUp(job),
      'bundle-import': () => {},
    },
    report: (payload) => events.emit({ name: 'job.changed', payload }),
    forgotten: (id) => {
      events.emit({ name: 'job.forgotten', payload: { id } });
      cases.jobForgotten(id);
      void uploads.jobForgotten(id).catch(defectLog(foundation, 'uploads'));
      void additions.jobForgotten(id).catch(defectLog(foundation, 'additions'));
      void bundles.jobForgotten(id).catch(defectLog(foundation, 'bundles'));
      void scans.jobForgotten(id).catch(defectLog(foundation, 'scans'));
    },
    keepAwake: () => platform.keepAwake(),
    logDefect,
  });
  return { jobs, exportJobs };
}

function jobRuns(
  {
    bulk,
    uploads,
    scans,
    storage,
    additions,
    library,
    cases,
    backups,
    bundles,
    triages,
  }: Pick<
    Services,
    'bulk' | 'uploads' | 'scans' | 'storage' | 'additions' | 'library' | 'cases' | 'backups' | 'bundles' | 'triages'
  >,
  exportJobs: ExportJobs,
): ConstructorParameters<typeof JobRunner>[0]['runs'] {
  return {
    'bulk-download': async (work) => {
      await bulk.run(work);
      if (work.task.kind === 'bulk-download' && work.task.records === true) await library.readMissing(work);
    },
    triage: (work) => triages.run(work),
    export: (work) => exportJobs.run(work),
    upload: (work) => uploads.run(work),
    scan: (work) => scans.run(work),
    hunt: (work) => scans.runHunt(work),
    'vault-check': (work) => storage.run(work),
    'library-add': (work) => additions.run(work),
    'library-change': (work) => library.run(work),
    'case-export': (work) => cases.run(work),
    backup: (work) => backups.run(work),
    bundle: (work) => bundles.runMaking(work),
    'bundle-import': (work) => bundles.runImport(work),
  };
}
