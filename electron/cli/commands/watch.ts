import type { WatchedFile, WatchState } from '../../../shared/domain/watch.ts';
import { visibleLine } from '../../../shared/domain/visible-text.ts';
import { type FailureSentence, sentenceFor } from '../../../shared/failure-sentences.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodeOf } from '../exit-code-of.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { textOf } from '../option-values.ts';
import { pathOf } from '../typed-path.ts';
import { wrongUsage } from '../usage-error.ts';

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
        return wrongUsage('watch, watch on FOLDER, or watch off');
    }
  },
};

const turned = async (run: CommandRun, isOn: boolean): Promise<WatchState> =>
  run.ask('watch.turn', { isOn, workspaceId: await receiverOf(run) });

/** The workspace that is named; else the one that has got its files so far. */
async function receiverOf(run: CommandRun): Promise<string> {
  if (textOf(run.options, 'workspace') !== null) return run.workspaceId();
  const { workspaceId } = await run.ask('watch.state', {});
  const { workspaces } = await run.ask('workspaces.list', {});
  return workspaces.find(({ id }) => id === workspaceId)?.id ?? run.workspaceId();
}

async function turnedOn(run: CommandRun, typed: string | undefined): Promise<ExitCode> {
  const door = await run.door();
  if (typed !== undefined) await run.ask('watch.chooseFolder', { folder: await door.nameFolder(pathOf(typed)) });
  const state = await turned(run, true);
  if (door.kind === 'own') run.terminal.say('Vitrine is not open: it watches from its next start on.');
  return shown(run, state);
}

async function shown(run: CommandRun, state: WatchState): Promise<ExitCode> {
  if (run.terminal.isJson) await run.terminal.json(state);
  else await told(run, state);
  return state.failure === null ? exitCodes.done : exitCodeOf(state.failure);
}

async function told(run: CommandRun, state: WatchState): Promise<void> {
  const line = (text: string): Promise<void> => run.terminal.line(visibleLine(text));
  const { workspaces } = await run.ask('workspaces.list', {});
  const receiver = workspaces.find(({ id }) => id === state.workspaceId);
  await line(
    `${state.isOn ? 'on ' : 'off'}  ${state.folder ?? 'no folder is chosen'}${receiver ? `  workspace ${receiver.name}` : ''}`,
  );
  if (state.failure) await line(`     ${whole(sentenceFor(state.failure))}`);
  for (const file of state.files) await line(fileLine(file));
}

const whole = ({ what, then }: FailureSentence): string => `${what}. ${then}`;

function fileLine({ state, path, hits, failure }: WatchedFile): string {
  const found = hits === null ? '' : `  ${hitWords(hits)}`;
  const why = failure === null ? '' : `  ${state === 'drafted' ? 'not scanned: ' : ''}${sentenceFor(failure).what}`;
  return `${state.padEnd(8)}  ${path}${found}${why}`;
}

function hitWords(hits: number): string {
  if (hits === 0) return 'no hits';
  return hits === 1 ? '1 hit' : `${hits} hits`;
}
