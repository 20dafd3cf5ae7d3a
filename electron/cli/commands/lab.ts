import type { LabPublication, Specimen } from '../../../shared/domain/lab.ts';
import type { Command, CommandRun } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';
import { inertLine } from '../inert-line.ts';

export const lab: Command = {
  name: 'lab',
  summary: 'show the built-in lab and its sample files',
  usage: [''],
  about: 'Shows the state of the lab, its sample files and its publications. Starts the lab if it is not running.',
  examples: ['vitrine lab', 'vitrine lab specimens | cut -f2'],
  most: 0,
  words: {
    specimens: {
      summary: 'list the sample files of the lab',
      usage: [''],
      examples: ['vitrine lab specimens'],
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
