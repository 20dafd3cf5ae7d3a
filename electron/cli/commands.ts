import type { Command } from './command.ts';

/** Every word behind `vitrine`, in the order of the list that `--help` shows. A command is loaded when it is asked for: most of them need much. */
export const commands: Readonly<Record<string, () => Promise<Command>>> = {
};
