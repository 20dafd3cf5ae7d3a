import type { LabPublication, SampleFile } from '../../../shared/domain/lab.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodes, wrongUsage } from '../exit.ts';
import { type Column, Records } from '../records.ts';
import { refuseUnknownWorkspace } from '../workspace-named.ts';

export const lab: Command = {
  name: 'lab',
  summary: 'show the built-in lab and its sample files',
  usage: [''],
  about: 'Shows the state of the lab, its sample files and its publications. Starts the lab if it is not running.',
  examples: ['vitrine lab', 'vitrine lab samples | cut -f1'],
  most: 0,
  aliases: { specimens: 'samples' },
  words: {
    samples: {
      summary: 'list the sample files of the lab',
      usage: [''],
      examples: ['vitrine lab samples'],
      most: 0,
    },
    publications: {
      summary: 'list the rule publications of the lab',
      usage: [''],
      examples: ['vitrine lab publications'],
      most: 0,
    },
  },
  run: async (run) => {
    const [word = 'all'] = run.args;
    await refuseUnknownWorkspace(run);
    if (word === 'all' && run.terminal.layout === 'csv')
      wrongUsage('--format csv is for one list: lab samples or lab publications');
    // Fetched first: it waits for the lab to start.
    const { publications } = await run.ask('lab.publications', {});
    if (word === 'all') await showState(run);
    if (word !== 'publications') {
      const { sampleFiles } = await run.ask('lab.sampleFiles', {});
      await list(run, sampleFiles, { columns: sampleColumns, valueOf: (sample) => ({ sample }) });
    }
    if (word !== 'samples')
      await list(run, publications, { columns: publicationColumns, valueOf: (publication) => ({ publication }) });
    return exitCodes.done;
  },
};

async function showState({ ask, terminal }: CommandRun): Promise<void> {
  const { lab: state } = await ask('host.describe', {});
  if (terminal.isJson) await terminal.json({ lab: state });
  else await terminal.line(`Lab: ${state.state}${restarted(state.restarts)}`);
}

function restarted(times: number): string {
  if (times === 0) return '';
  return times === 1 ? ', restarted once' : `, restarted ${times} times`;
}

async function list<Row>(
  { terminal }: CommandRun,
  rows: readonly Row[],
  { columns, valueOf }: { columns: readonly Column<Row>[]; valueOf: (row: Row) => object },
): Promise<void> {
  const records = new Records(terminal, columns);
  for (const row of rows) await (terminal.isJson ? terminal.json(valueOf(row)) : records.add(row));
  if (!terminal.isJson) await records.end();
}

const sampleColumns: readonly Column<SampleFile>[] = [
  { head: 'MD5', value: ({ md5 }) => md5, cut: 'hash', isOwn: true },
  { head: 'SIZE', value: ({ sizeBytes }) => sizeBytes, align: 'right' },
  { head: 'NAME', value: ({ name }) => name, cut: 'text' },
];

const publicationColumns: readonly Column<LabPublication>[] = [
  { head: 'VERSION', value: ({ version }) => version, isOwn: true },
  { head: 'GROUP', value: ({ group }) => group, isOwn: true },
  { head: 'PUBLISHED', value: ({ published }) => published, isOwn: true },
  { head: 'FILES', value: ({ files }) => files, align: 'right' },
  { head: 'RULES', value: ({ rules }) => rules, align: 'right' },
];
