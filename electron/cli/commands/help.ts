import type { Command } from '../command.ts';
import { exitCodes } from '../exit.ts';

export const help: Command = {
  name: 'help',
  summary: 'show the help of a command',
  usage: ['[COMMAND [SUBCOMMAND]]', 'options'],
  examples: ['vitrine help scan', 'vitrine help library add', 'vitrine help options'],
  run: async ({ args, commands, terminal }) => {
    const { helpOfTopic } = await import('../help-topics.ts');
    await terminal.line(await helpOfTopic(commands, args));
    return exitCodes.done;
  },
};
