import type { LabPublication, Specimen } from '../../../shared/domain/lab.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { inertLine } from '../inert-line.ts';

export const lab: Command = {
  name: 'lab',
  summary: 'the lab of this computer: its state, specimens and publications',
  usage: `vitrine lab
vitrine lab specimens
vitrine lab publications

Without a word all three. The lab is started where no desk has it running.`,
  options: {},
  words: { '': { options: [], most: 0 }, specimens: { options: [], most: 0 }, publications: { options: [], most: 0 } },
  run: async (run) => {
    const [word = 'all'] = run.args;
    // Asked first: it is this that waits for the lab, and the others are known then.
    const { publications } = await run.ask('lab.publications', {});
    if (word === 'all') await tellState(run);
    if (word !== 'publications')
      for (const specimen of (await run.ask('lab.specimens', {})).specimens)
        await tell(run, { specimen }, specimenLine(specimen));
    if (word !== 'specimens')
      for (const publication of publications) await tell(run, { publication }, publicationLine(publication));
    return exitCodes.done;
  },
};

async function tellState(run: CommandRun): Promise<void> {
  const { lab: state } = await run.ask('host.describe', {});
  await tell(
    run,
    { lab: state },
    `the lab is ${state.state}${state.restarts === 0 ? '' : `, after ${state.restarts} restarts`}`,
  );
}

const tell = ({ terminal }: CommandRun, value: object, line: string): Promise<void> =>
  terminal.isJson ? terminal.json(value) : terminal.line(line);

const specimenLine = ({ md5, name, sizeBytes }: Specimen): string =>
  `specimen     ${md5}  ${sizeBytes.toLocaleString('en')} bytes  ${inertLine(name)}`;
const publicationLine = ({ version, group, published, files, rules }: LabPublication): string =>
  `publication  ${inertLine(version)}  ${group}  ${published}  ${files} files  ${rules} rules`;
