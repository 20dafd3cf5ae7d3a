import type { Flag, Flags } from './command.ts';
import { commands } from './commands.ts';
import { commonFlags } from './common-options.ts';
import { takesPath } from './flags.ts';
import { capitalized, described } from './help-text.ts';

/** Where a word of a command line can be: behind a command, or behind one of its sub-commands. */
interface Place {
  /** "" for Vitrine itself, "rules", or "rules list". */
  path: string;
  /** What may follow, with what it does. */
  words: readonly (readonly [name: string, summary: string])[];
  /** Without those of all commands. */
  flags: Flags;
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** A script that completes commands, sub-commands, options and their values in a shell. */
export const completionScript = async (shell: keyof typeof scripts): Promise<string> =>
  scripts[shell](await allPlaces());

async function allPlaces(): Promise<Place[]> {
  const places = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]): Promise<Place[]> => {
      const { flags = {}, words = {} } = await load();
      return [
        { path: name, words: summariesOf(name === 'help' ? commands : words), flags },
        ...Object.entries(words).map(([word, sub]) => ({ path: `${name} ${word}`, words: [], flags: sub.flags ?? {} })),
      ];
    }),
  );
  return [{ path: '', words: summariesOf(commands), flags: {} }, ...places.flat()];
}

const summariesOf = (table: Readonly<Record<string, { summary: string }>>): [string, string][] =>
  Object.entries(table).map(([name, { summary }]) => [name, capitalized(summary)]);

const entriesOf = (flags: Flags): [string, Flag][] => Object.entries(flags);
const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
/** As it is typed: `--workspace` and `-w`. */
const typed = ([name, { short }]: [string, Flag]): string[] => [
  `--${name}`,
  ...(short === undefined ? [] : [`-${short}`]),
];
const namesOf = (flags: Flags): string => entriesOf(flags).flatMap(typed).join(' ');

/** What is followed by a value, which is no command. */
function valueFlags(places: readonly Place[]): string {
  const all = [commonFlags, ...places.map(({ flags }) => flags)].flatMap(entriesOf);
  return [...new Set(all.filter(([, { value }]) => value !== undefined).flatMap(typed))].join('|');
}

/** Patterns for where a command is followed by one of its sub-commands. */
const wordPatterns = (places: readonly Place[]): string =>
  places
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path.includes(' ') ? path : ` ${path}`))
    .join('|');

/** For each option with a value, the pattern `place option` and what completes it: its choices, paths, or nothing. */
function valuesOf(places: readonly Place[]): { pattern: string; choices: readonly string[] | 'paths' | null }[] {
  const valued = (flags: Flags, prefix: string) =>
    entriesOf(flags).flatMap((flag) => {
      const { value, choices = takesPath(value) ? 'paths' : null } = flag[1];
      if (value === undefined) return [];
      const pattern = typed(flag)
        .map((name) => (prefix === '*' ? `*${quoted(` ${name}`)}` : quoted(`${prefix} ${name}`)))
        .join('|');
      return [{ pattern, choices }] as const;
    });
  return [...places.flatMap(({ path, flags }) => valued(flags, path)), ...valued(commonFlags, '*')];
}

function bashScript(places: readonly Place[]): string {
  const values = valuesOf(places).map(({ pattern, choices }) => {
    if (choices === 'paths') return `    ${pattern}) return ;;`;
    if (choices === null) return `    ${pattern}) compopt +o default 2>/dev/null; return ;;`;
    return `    ${pattern}) COMPREPLY=($(compgen -W ${quoted(choices.join(' '))} -- "$cur")); return ;;`;
  });
  return `# Completion of vitrine for bash
_vitrine() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} place= words= flags= i
  COMPREPLY=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    case \${COMP_WORDS[i]} in
      ${valueFlags(places)}) ((i++)) ;;
      -*) ;;
      *) case "$place \${COMP_WORDS[i]}" in
        ${wordPatterns(places)}) place="\${place:+$place }\${COMP_WORDS[i]}" ;;
      esac ;;
    esac
  done
  case "$place $prev" in
${values.join('\n')}
  esac
  case $place in
${places
  .map(({ path, words, flags }) => {
    const names = words.map(([name]) => name).join(' ');
    return `    ${quoted(path)}) words=${quoted(names)} flags=${quoted(namesOf(flags))} ;;`;
  })
  .join('\n')}
  esac
  case $cur in
    -*) COMPREPLY=($(compgen -W "$flags ${namesOf(commonFlags)}" -- "$cur")) ;;
    *) COMPREPLY=($(compgen -W "$words" -- "$cur")) ;;
  esac
}
complete -o default -F _vitrine vitrine`;
}

function zshScript(places: readonly Place[]): string {
  const describe = (pairs: readonly (readonly [string, string])[]): string =>
    pairs.map(([name, text]) => quoted(`${name}:${text}`)).join(' ');
  const flagPairs = (flags: Flags): [string, string][] =>
    entriesOf(flags).flatMap((flag) => typed(flag).map((name): [string, string] => [name, described(flag[1])]));
  const values = valuesOf(places).map(({ pattern, choices }) => {
    if (choices === 'paths') return `    (${pattern}) _files; return ;;`;
    return choices === null
      ? `    (${pattern}) return ;;`
      : `    (${pattern}) compadd -- ${choices.map(quoted).join(' ')}; return ;;`;
  });
  return `#compdef vitrine
_vitrine() {
  local place= i
  local -a names
  for ((i = 2; i < CURRENT; i++)); do
    case $words[i] in
      (${valueFlags(places)}) ((i++)) ;;
      (-*) ;;
      (*) case "$place $words[i]" in
        (${wordPatterns(places)}) place="\${place:+$place }$words[i]" ;;
      esac ;;
    esac
  done
  case "$place $words[CURRENT-1]" in
${values.join('\n')}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    case $place in
${places.map(({ path, flags }) => `      (${quoted(path)}) names=(${describe(flagPairs(flags))}) ;;`).join('\n')}
    esac
    names+=(${describe(flagPairs(commonFlags))})
    _describe -o option names
    return
  fi
  case $place in
${places
  .filter(({ words }) => words.length > 0)
  .map(({ path, words }) => `    (${quoted(path)}) names=(${describe(words)}); _describe command names ;;`)
  .join('\n')}
  esac
  if [[ -n $place ]]; then _files; fi
}
compdef _vitrine vitrine`;
}

function fishScript(places: readonly Place[]): string {
  const at = (path: string): string => `complete -c vitrine -n ${quoted(`__vitrine_at ${quoted(path)}`)}`;
  const flagLine = (start: string, [name, flag]: [string, Flag]): string => {
    const { short, value, choices } = flag;
    return [
      start,
      `-l ${name}`,
      ...(short === undefined ? [] : [`-s ${short}`]),
      ...(value === undefined ? [] : [takesPath(value) ? '-r' : '-x']),
      ...(choices === undefined ? [] : [`-a ${quoted(choices.join(' '))}`]),
      `-d ${quoted(described(flag))}`,
    ].join(' ');
  };
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return [
    `# Completion of vitrine for fish
function __vitrine_at
  set -l place ''
  set -l words (commandline -opc)
  set -e words[1]
  while set -q words[1]
    switch $words[1]
      case ${valueFlags(places).replaceAll('|', ' ')}
        set -e words[1]
      case '-*'
      case '*'
        set -l next (string trim -- "$place $words[1]")
        contains -- $next ${paths.join(' ')}
        and set place $next
    end
    set -e words[1]
  end
  test "$place" = "$argv[1]"
end`,
    ...places.flatMap(({ path, words, flags }) => [
      ...words.map(([name, text]) => `${at(path)} -f -a ${name} -d ${quoted(text)}`),
      ...entriesOf(flags).map((flag) => flagLine(at(path), flag)),
    ]),
    ...entriesOf(commonFlags).map((flag) => flagLine('complete -c vitrine', flag)),
  ].join('\n');
}
