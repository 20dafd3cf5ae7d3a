import type { Command } from '../command.ts';
import { exitCodes, wrongUsage } from '../exit.ts';

const shells = ['bash', 'zsh', 'fish'] as const;

export const completion: Command = {
  name: 'completion',
  summary: 'print a completion script for bash, zsh or fish',
  usage: [shells.join('|')],
  about: 'To load it in every shell, add the line of the example to ~/.bashrc or ~/.zshrc.',
  examples: [
    'source <(vitrine completion bash)',
    'source <(vitrine completion zsh)',
    'vitrine completion fish > ~/.config/fish/completions/vitrine.fish',
  ],
  values: [shells],
  run: async ({ args, commands, terminal }) => {
    const [name, ...more] = args;
    const shell = more.length === 0 ? shells.find((one) => one === name) : undefined;
    if (shell === undefined) wrongUsage(`name one shell: ${shells.join(', ')}`);
    const { completionScript } = await import('../completion-script.ts');
    await terminal.line(await completionScript(shell, commands));
    return exitCodes.done;
  },
};
