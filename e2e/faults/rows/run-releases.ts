import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { type Team, startTeam } from '../../team.ts';
import { zipBy7z } from '../encrypted-zip.ts';
import { type FieldDialect, type FieldDialectOptions, startFieldDialect } from '../field-dialect.ts';
import { storeInLab } from '../lab-upload.ts';
import { type Act, type ActScene, type Ending, must } from '../matrix/acts/act.ts';
import { addcomment } from '../matrix/acts/addcomment.ts';
import { bulkdownload } from '../matrix/acts/bulkdownload.ts';
import { downloadfile } from '../matrix/acts/downloadfile.ts';
import { endOfJob, goOn } from '../matrix/acts/job-ending.ts';
import { jobOf } from '../matrix/acts/job-of.ts';
import type { SeenCell } from '../matrix/cell.ts';
import { type CellSample, cellSample } from '../matrix/cell-sample.ts';
import { eventually, type FaultHost, openFaultHost, repositoryDraft } from '../matrix/fault-host.ts';
import { leftBehind } from '../matrix/matrix.ts';
import { failureWords, requestWords, sentenceWords } from '../matrix/seen-words.ts';
import { SoundService } from '../matrix/sound-service.ts';
import { type ZipItem, zipOf } from '../zip-items.ts';
import { type RanRow, runRows } from './fault-row.ts';
import type { ReleaseRow, Upload } from './releases.ts';

/** Runs rows over one host and one lab, each through a dialect of its own. Rejects when there is no host. */
export async function runReleases(
  rows: readonly ReleaseRow[],
  folder: string,
  report: (ran: RanRow<ReleaseRow>) => void,
): Promise<{ ran: RanRow<ReleaseRow>[]; left: string[] }> {
  const [vitrine, team] = await Promise.all([
    openFaultHost(join(folder, 'host')),
    startTeam(join(folder, 'lab'), { rights: 'read,download,upload,comment' }),
  ]);
  try {
    const ran = await runRows(rows, (row) => runRow(vitrine, team, row), report);
    return { ran, left: await leftBehind(vitrine, team.token) };
  } finally {
    await Promise.all([vitrine.close(), team.stop()]);
  }
}

interface ReleaseScene extends ActScene {
  row: ReleaseRow;
  team: Team;
}
interface ReleaseAct extends Pick<Act, 'wholeKept'> {
  prepare?(scene: ReleaseScene): Promise<void>;
  does(scene: ReleaseScene): Promise<Ending>;
  doesAgain(scene: ReleaseScene, before: Ending): Promise<Ending>;
  kept(scene: ReleaseScene, ending: Ending): Promise<string>;
}

async function runRow(vitrine: FaultHost, team: Team, row: ReleaseRow): Promise<SeenCell> {
  const samples = samplesOf(row);
  const isStocked = row.action !== 'uploadfiles' && row.isUnknown !== true;
  if (isStocked) for (const sample of samples) await stock(team, sample);
  const server = new SwitchedDialect(team, samples);
  await server.start({});
  try {
    const name = `${row.action}, ${row.words}`.slice(0, 80);
    const draft = repositoryDraft(name, server.baseUrl, team.token);
    const { id: workspaceId } = await vitrine.call('workspaces.add', draft);
    // What the acts of the matrix ask of a service in memory, no row here does.
    const service = { sound: new SoundService([]) };
    return await runScene({ vitrine, workspaceId, service, samples, row, team }, server);
  } finally {
    await server.stop();
  }
}

const samplesOf = ({ action, words, upload }: ReleaseRow): CellSample[] =>
  (upload?.sizes ?? (action === 'bulkdownload' ? [40_000, 60_000] : [30_000])).map((sizeBytes, index) =>
    cellSample(`${action} ${words} ${index}`, sizeBytes),
  );

const tags = ['phish', 'packed'];

async function stock({ labUrl: target, token }: Team, { md5, bytes }: CellSample): Promise<void> {
  const orders = { virusTotal: false, sandbox: false, tags: tags.join(',') };
  const error = await storeInLab({ target, token }, { name: `${md5}.bin`, bytes, orders, comment: '' });
  if (error !== null) throw new Error(`the lab did not take a sample: ${error}`);
}

/** One address at which a release answers soundly, or with what a row has wrong. */
class SwitchedDialect {
  readonly #team: Team;
  readonly #md5s: readonly string[];
  #running: FieldDialect | null = null;
  baseUrl = '';

  constructor(team: Team, samples: readonly CellSample[]) {
    this.#team = team;
    this.#md5s = samples.map(({ md5 }) => md5);
  }

  get calls(): string[] {
    return (this.#running?.calls ?? []).map((call) => call.split(' ')[1] ?? '');
  }

  async start(options: Omit<FieldDialectOptions, 'target' | 'port'>): Promise<void> {
    await this.stop();
    const port = this.baseUrl === '' ? 0 : Number(new URL(this.baseUrl).port);
    const release = { md5s: this.#md5s };
    this.#running = await startFieldDialect({ ...options, target: this.#team.labUrl, port, release });
    this.baseUrl = this.#running.baseUrl;
  }

  async stop(): Promise<void> {
    await this.#running?.close();
    this.#running = null;
  }
}

async function runScene(scene: ReleaseScene, server: SwitchedDialect): Promise<SeenCell> {
  const { row } = scene;
  const act: ReleaseAct = acts[row.action];
  await act.prepare?.(scene);
  await server.start(row.dialect);
  const ending = await act.does(scene);
  const kept = await act.kept(scene, ending);
  const seen = {
    ends: ending.state,
    failure: failureWords(ending.failure),
    requests: requestWords(server.calls),
    kept,
    sentence: sentenceWords(ending.failure),
  };
  if (row.isFinal === true || row.isUnknown === true) return seen;
  await server.start({});
  const again = await act.doesAgain(scene, ending);
  const keptAtLast = await act.kept(scene, again);
  const whole = act.wholeKept.replaceAll('N', String(scene.samples.length));
  must(
    keptAtLast === whole,
    `a sound call afterwards ends "${again.state}" (${failureWords(again.failure)}), and ${keptAtLast} is kept`,
  );
  return seen;
}

const urls = ['report', 'source'];

const lookUp = async ({ vitrine, workspaceId, samples: [sample] }: ReleaseScene): Promise<Ending> => {
  const found = await vitrine.ask('samples.lookup', { workspaceId, hash: sample?.md5 ?? '' });
  if (!found.ok) return { state: 'failed', failure: found.failure };
  const { record } = found.value;
  must(record.md5 === sample?.md5 && record.sha256 === sample?.sha256, 'the record is of another sample');
  must(record.tags.toSorted().join() === tags.toSorted().join(), `the tags are ${record.tags.join()}`);
  must(record.urls.map(({ name }) => name).join() === urls.join(), 'the URLs are not each there once');
  return { state: 'done', failure: null };
};

const acts: Record<ReleaseRow['action'], ReleaseAct> = {
  getfile: {
    does: lookUp,
    doesAgain: lookUp,
    async kept({ vitrine, samples: [sample], workspaceId }, { state }) {
      const known = await vitrine.ask('library.sample', { hash: sample?.md5 ?? '' });
      must(known.ok === (state === 'done'), known.ok ? 'the library has what was not found' : 'the library lacks it');
      if (!known.ok) return 'nothing';
      const mark = known.value.records.find((one) => one.workspaceId === workspaceId)?.record.warning ?? null;
      must(mark === null || mark.trim().startsWith('Notice: '), `the mark is ${mark}`);
      return mark === null ? 'the record' : `the record, marked`;
    },
    wholeKept: 'the record',
  },
  downloadfile,
  bulkdownload,
  uploadfiles: {
    prepare: makeDraft,
    async does({ vitrine, workspaceId }) {
      const { id } = await vitrine.call('uploads.send', { workspaceId });
      return endOfJob(vitrine, id);
    },
    doesAgain: async (scene) => goOn(scene.vitrine, await jobOf(scene)),
    kept: atService,
    wholeKept: 'N of N at the service',
  },
  addcomment,
};

async function makeDraft({ vitrine, workspaceId, samples, row: { upload } }: ReleaseScene): Promise<void> {
  if (upload === undefined) throw new Error('the row uploads nothing');
  const files = samples.map(({ md5, bytes }) => ({ name: `${md5}.bin`, bytes }));
  const sent = upload.zip === undefined ? files : [{ name: 'files.zip', bytes: await zipped(files, upload.zip) }];
  const staged = [];
  for (const { name, bytes } of sent) staged.push({ id: (await vitrine.stage(name, bytes)).id, path: name });
  await vitrine.call('uploads.add', { workspaceId, files: staged, archives: 'never' });
  await eventually('the draft', async () => {
    const found = await vitrine.call('uploads.draft', { workspaceId });
    return found.toSend.files === sent.length && found.busy === 0 && found.unasked === 0 ? found : null;
  });
  await vitrine.call('uploads.comment', { workspaceId, text: upload.comment ?? '' });
  const change = { addTags: [...(upload.tags ?? [])] };
  await vitrine.call('uploads.change', { workspaceId, target: { kind: 'all' }, change });
}

const zipped = (files: readonly ZipItem[], { password }: NonNullable<Upload['zip']>): Promise<Uint8Array> =>
  password === null ? zipOf(files) : zipBy7z(files, { encryption: 'aes-256', password });

const labReply = z.object({
  file: z.object({ tags: z.string(), comments: z.array(z.object({ content: z.string() })) }),
});

/** What the lab has of the files, asked without the dialect. Rejects when it has one that is to be sent again. */
async function atService(scene: ReleaseScene, { state, failure }: Ending): Promise<string> {
  const {
    team: { labUrl, token },
    row: { upload },
    samples,
  } = scene;
  const found: z.infer<typeof labReply>['file'][] = [];
  for (const { md5, bytes } of samples) {
    must(createHash('md5').update(bytes).digest('hex') === md5, 'the sample has changed');
    const query = new URLSearchParams({ action: 'getfile', token, hash: md5 });
    const reply = await fetch(`${labUrl}/api.php?${query.toString()}`);
    if (reply.ok) found.push(labReply.parse(await reply.json()).file);
    else must(reply.status === 404, `the lab answers ${reply.status}`);
  }
  const missing = (upload?.tags ?? []).filter((tag) => found.some((one) => !one.tags.split(',').includes(tag)));
  must(missing.length === 0, `tags are missing: ${missing.join()}`);
  const isOpen = /done|already-here|paused/.test(state) || failure?.kind === 'may-have-arrived';
  must(found.length === 0 || isOpen, `an upload that is "${state}" (${failure?.kind}), and it is there`);
  if (found.length === 0) return 'nothing';
  const count = `${found.length} of ${samples.length} at the service`;
  const right = found.filter(({ comments }) => comments.some(({ content }) => content === upload?.comment)).length;
  return upload?.comment === undefined ? count : `${count}, ${right} with the comment as written`;
}
