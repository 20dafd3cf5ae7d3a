import { visibleLine } from '../../../shared/domain/visible-text.ts';
import type { WatchedFile, WatchState } from '../../../shared/domain/watch.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes, wrongUsage } from '../exit.ts';
import { pathOf } from '../given-files.ts';
import { textOf } from '../option-values.ts';
import { reasonOf } from '../reason.ts';
import { type Column, Records } from '../records.ts';

export const watch: Command = {
  name: 'watch',
  summary: 'scan new files in a folder and draft their upload',
  usage: [''],
  about:
    'Shows the watched folder and its files. The folder is watched while Vitrine is open. New files are ' +
    'scanned and added to the upload draft of one workspace; nothing is sent automatically.',
  examples: ['vitrine watch', 'vitrine watch on incoming/'],
  most: 0,
  words: {
    on: {
      summary: 'start watching a folder',
      usage: ['[FOLDER]'],
      about: 'Files go to the draft of the same workspace as before, unless --workspace names another.',
      examples: ['vitrine watch on incoming/'],
      most: 1,
    },
    off: { summary: 'stop watching the folder', usage: [''], examples: ['vitrine watch off'], most: 0 },
  },
  run: async (run) => {
    const [verb, folder] = run.args;
    switch (verb) {
      case undefined:
        return shown(run, await run.ask('watch.state', {}));
      case 'on':
        return turnedOn(run, folder);
      case 'off':
        return shown(run, await turned(run, false));
      default:
        return wrongUsage('give on or off');
    }
  },
};

const turned = async (run: CommandRun, isOn: boolean): Promise<WatchState> =>
  run.ask('watch.turn', { isOn, workspaceId: await receiverOf(run) });

/** The named workspace; else the one that has received the files so far. */
async function receiverOf(run: CommandRun): Promise<string> {
  if (textOf(run.options, 'workspace') !== null) return run.workspaceId();
  const { workspaceId } = await run.ask('watch.state', {});
  const { workspaces } = await run.ask('workspaces.list', {});
  return workspaces.find(({ id }) => id === workspaceId)?.id ?? run.workspaceId();
}

async function turnedOn(run: CommandRun, typed: string | undefined): Promise<ExitCode> {
  const client = await run.client();
  if (typed === undefined && (await run.ask('watch.state', {})).folder === null)
    wrongUsage('name a folder: vitrine watch on FOLDER');
  if (typed !== undefined) await run.ask('watch.chooseFolder', { folder: await client.nameFolder(pathOf(typed)) });
  const state = await turned(run, true);
  if (client.kind === 'own') run.terminal.print('Vitrine is not open. Watching starts when you open it.');
  return shown(run, state);
}

async function shown(run: CommandRun, state: WatchState): Promise<ExitCode> {
  if (run.terminal.isJson) await run.terminal.value(state);
  else await reported(run, state);
  return state.failure === null ? exitCodes.done : exitCodeOf(state.failure);
}

async function reported({ terminal, ask }: CommandRun, state: WatchState): Promise<void> {
  const { workspaces } = await ask('workspaces.list', {});
  const receiver = workspaces.find(({ id }) => id === state.workspaceId);
  const head = [state.isOn ? 'on' : 'off', state.folder ?? 'no folder', ...(receiver ? [receiver.name] : [])];
  if (terminal.layout !== 'csv')
    await terminal.line(head.map(visibleLine).join(terminal.layout === 'table' ? '  ' : '\t'));
  if (state.failure) terminal.complain(reasonOf(state.failure));
  const records = new Records(terminal, columns, ({ failure }) => (failure === null ? null : 'problem'));
  for (const file of state.files) await records.add(file);
  await records.end();
}

const columns: readonly Column<WatchedFile>[] = [
  { head: 'STATUS', value: ({ state }) => state, isOwn: true },
  { head: 'FILE', value: ({ path }) => path, cut: 'text', isMain: true, isOwn: true },
  { head: 'HITS', value: ({ hits }) => hits, align: 'right' },
  { head: 'REASON', value: (file) => whyOf(file), cut: 'text', isOwn: true },
];

function whyOf({ state, failure }: WatchedFile): string | null {
  if (failure === null) return null;
  return state === 'drafted' ? `not scanned: ${reasonOf(failure)}` : reasonOf(failure);
}
