import type { Command, Flag, Flags, Topic } from './command.ts';

const width = 80;
const indent = '  ';
/** Texts of flags whose names are longer begin on the next line. */
const widestFlag = 30;

/** The help of a command, or of one of its sub-commands. */
export function helpText(command: Command, word?: string): string {
  const sub = word === undefined ? undefined : command.words?.[word];
  const name = sub === undefined ? command.name : `${command.name} ${word}`;
  const topic: Topic = sub ?? command;
  return [
    [`${capitalized(topic.summary)}.`, ...(topic.about === undefined ? [] : ['', ...paragraphs(topic.about)])],
    part('USAGE', usageLines(name, topic, sub === undefined ? command.words : undefined)),
    part('COMMANDS', sub === undefined ? commandLines(command.words ?? {}) : []),
    part(
      'EXAMPLES',
      topic.examples.map((example) => `${indent}$ ${example}`),
    ),
    part('FLAGS', flagLines(topic.flags ?? {})),
    ['"vitrine help options" lists the options of all commands.'],
  ]
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n');
}

function usageLines(name: string, topic: Topic, words: Command['words'] = {}): string[] {
  const own = topic.usage.map((usage) => [name, usage].filter((part) => part !== '').join(' '));
  const ofWords = Object.entries(words).flatMap(([word, { usage }]) =>
    usage.map((one) => [name, word, one].filter((part) => part !== '').join(' ')),
  );
  return [...own, ...ofWords]
    .flatMap((line) => wrapped(`vitrine ${line}`, width - indent.length, indent))
    .map(indented);
}

const commandLines = (words: NonNullable<Command['words']>): string[] =>
  inTwoColumns(Object.entries(words).map(([word, { summary }]) => [word, capitalized(summary)]));

const typedFlag = (name: string, { short, value }: Flag): string =>
  `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;

/** `-w, --workspace NAME   text`, the texts below each other. */
export const flagLines = (flags: Flags): string[] =>
  inTwoColumns(Object.entries(flags).map(([name, flag]) => [typedFlag(name, flag), described(flag)]));

function inTwoColumns(pairs: readonly (readonly [string, string])[]): string[] {
  const left = Math.min(widestFlag, Math.max(0, ...pairs.map(([name]) => name.length)));
  const margin = indent.length + left + 2;
  return pairs.flatMap(([name, text]) => {
    const [first = '', ...more] = wrapped(text, width - margin);
    const rest = more.map((line) => `${' '.repeat(margin)}${line}`);
    return name.length > left
      ? [`${indent}${name}`, `${' '.repeat(margin)}${first}`, ...rest]
      : [`${indent}${name.padEnd(left)}  ${first}`.trimEnd(), ...rest];
  });
}

const part = (head: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : [head, ...lines]);
const indented = (line: string): string => `${indent}${line}`;
export const capitalized = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
/** A text that begins with a value of the option keeps it as it is typed. */
export const described = ({ text, choices = [] }: Pick<Flag, 'text' | 'choices'>): string =>
  choices.some((choice) => text.startsWith(choice)) ? text : capitalized(text);

const paragraphs = (text: string): string[] =>
  text.split('\n').flatMap((line) => (line === '' ? [''] : wrapped(line, width)));

/** Words that fit on a line; those after the first line are indented by `hanging`. */
export function wrapped(text: string, most: number, hanging = ''): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (longer.length <= most || line.trim() === '') line = longer;
    else {
      lines.push(line);
      line = `${hanging}${word}`;
    }
  }
  return [...lines, line];
}
