import type { Commands, Flag, Flags } from './command.ts';
import { commonFlags } from './common-options.ts';
import { capitalized, described } from './help-text.ts';
import { takesPath } from './option-values.ts';

/** Where a word of a command line can be: behind a command, or behind one of its sub-commands. */
interface Place {
  /** "" for Vitrine itself, "rules", or "rules list". */
  path: string;
  /** What may follow, with what it does. */
  words: readonly (readonly [name: string, summary: string])[];
  /** What its first argument may be, its second and so on. */
  values: readonly (readonly string[])[];
  /** Without those of all commands. */
  flags: Flags;
}

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

/** A script that completes commands, sub-commands, options and their values in a shell. */
export const completionScript = async (shell: keyof typeof scripts, commands: Commands): Promise<string> =>
  scripts[shell](await allPlaces(commands));

async function allPlaces(commands: Commands): Promise<Place[]> {
  const helpTopics = [...summariesOf(commands), ['options', 'Options of all commands'] as const];
  const places = await Promise.all(
    Object.entries(commands).map(async ([name, { load }]): Promise<Place[]> => {
      const { flags = {}, words = {}, values = [] } = await load();
      const subs = summariesOf(words);
      return [
        { path: name, words: name === 'help' ? helpTopics : subs, values, flags },
        ...Object.entries(words).map(([word, sub]) => ({
          path: `${name} ${word}`,
          words: [],
          values: sub.values ?? [],
          flags: sub.flags ?? {},
        })),
        ...(subs.length === 0 ? [] : [{ path: `help ${name}`, words: subs, values: [], flags: {} }]),
      ];
    }),
  );
  return [{ path: '', words: summariesOf(commands), values: [], flags: {} }, ...places.flat()];
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

/** For each argument that is one of a few words, the pattern `place number`. */
const argumentsOf = (
  places: readonly Place[],
): { pattern: string; path: string; at: number; names: readonly string[] }[] =>
  places.flatMap(({ path, values }) =>
    values.flatMap((names, at) => (names.length === 0 ? [] : [{ pattern: quoted(`${path} ${at}`), path, at, names }])),
  );

function bashScript(places: readonly Place[]): string {
  const values = valuesOf(places).map(({ pattern, choices }) => {
    if (choices === 'paths') return `    ${pattern}) return ;;`;
    if (choices === null) return `    ${pattern}) compopt +o default 2>/dev/null; return ;;`;
    return `    ${pattern}) COMPREPLY=($(compgen -P "$start" -W ${quoted(choices.join(' '))} -- "$cur")); return ;;`;
  });
  const words = places
    .filter((place) => place.words.length > 0)
    .map(
      (place) => `    ${quoted(`${place.path} 0`)}) words=${quoted(place.words.map(([name]) => name).join(' '))} ;;`,
    );
  const named = argumentsOf(places).map(({ pattern, names }) => `    ${pattern}) words=${quoted(names.join(' '))} ;;`);
  return `# Completion of vitrine for bash
_vitrine() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]}
  local place= words= flags= start= ended= number=0 i
  COMPREPLY=()
  # Bash splits "--flag=value" at "=" unless COMP_WORDBREAKS was changed.
  if [[ $cur == = ]]; then cur=
  elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD-2]}
  elif [[ $cur == --*=* ]]; then start=\${cur%%=*}= prev=\${cur%%=*} cur=\${cur#*=}
  fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    if [[ -n $ended ]]; then number=$((number + 1)); continue; fi
    case \${COMP_WORDS[i]} in
      --) ended=1 ;;
      ${valueFlags(places)}) if [[ \${COMP_WORDS[i+1]} == = ]]; then ((i++)); fi; ((i++)) ;;
      -*) ;;
      *) if ((number == 0)); then
        case "$place \${COMP_WORDS[i]}" in
          ${wordPatterns(places)}) place="\${place:+$place }\${COMP_WORDS[i]}"; continue ;;
        esac
      fi
      number=$((number + 1)) ;;
    esac
  done
  if [[ -z $ended ]]; then
    case "$place $prev" in
${values.join('\n')}
    esac
    if [[ -n $start || $prev == = ]]; then return; fi
  fi
  case $place in
${places.map(({ path, flags }) => `    ${quoted(path)}) flags=${quoted(namesOf(flags))} ;;`).join('\n')}
  esac
  case "$place $number" in
${[...words, ...named].join('\n')}
  esac
  if [[ -z $ended && $cur == -* ]]; then COMPREPLY=($(compgen -W "$flags ${namesOf(commonFlags)}" -- "$cur"))
  else COMPREPLY=($(compgen -W "$words" -- "$cur"))
  fi
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
  const named = argumentsOf(places).map(
    ({ pattern, names }) => `    (${pattern}) compadd -- ${names.map(quoted).join(' ')}; return ;;`,
  );
  return `#compdef vitrine
_vitrine() {
  local place= ended= prev=$words[CURRENT-1] number=0 i
  local -a names
  for ((i = 2; i < CURRENT; i++)); do
    if [[ -n $ended ]]; then number=$((number + 1)); continue; fi
    case $words[i] in
      (--) ended=1 ;;
      (${valueFlags(places)}) ((i++)) ;;
      (-*) ;;
      (*) if ((number == 0)); then
        case "$place $words[i]" in
          (${wordPatterns(places)}) place="\${place:+$place }$words[i]"; continue ;;
        esac
      fi
      number=$((number + 1)) ;;
    esac
  done
  if [[ -z $ended ]]; then
    if [[ $words[CURRENT] == --*=* ]]; then
      prev=\${words[CURRENT]%%=*}
      compset -P '*='
    fi
    case "$place $prev" in
${values.join('\n')}
    esac
    if [[ $words[CURRENT] == -* ]]; then
      case $place in
${places.map(({ path, flags }) => `        (${quoted(path)}) names=(${describe(flagPairs(flags))}) ;;`).join('\n')}
      esac
      names+=(${describe(flagPairs(commonFlags))})
      _describe -o option names
      return
    fi
  fi
  case "$place $number" in
${places
  .filter(({ words }) => words.length > 0)
  .map(({ path, words }) => `    (${quoted(`${path} 0`)}) names=(${describe(words)}); _describe command names ;;`)
  .join('\n')}
${named.join('\n')}
  esac
  if [[ -n $place ]]; then _files; fi
}
compdef _vitrine vitrine`;
}

function fishScript(places: readonly Place[]): string {
  const at = (path: string, number = ''): string =>
    `complete -c vitrine -n ${quoted(`__vitrine_at ${quoted(path)} ${number}`.trimEnd())}`;
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
  const beforeDashes = `complete -c vitrine -n ${quoted('not contains -- -- (commandline -opc)')}`;
  const paths = places.filter(({ path }) => path !== '').map(({ path }) => quoted(path));
  return [
    `# Completion of vitrine for fish
function __vitrine_at
  set -l place ''
  set -l number 0
  set -l ended
  set -l words (commandline -opc)
  set -e words[1]
  while set -q words[1]
    if test -n "$ended"
      set number (math $number + 1)
      set -e words[1]
      continue
    end
    switch $words[1]
      case --
        set ended 1
      case ${valueFlags(places).replaceAll('|', ' ')}
        set -e words[1]
      case '-*'
      case '*'
        set -l next (string trim -- "$place $words[1]")
        if test $number = 0; and contains -- $next ${paths.join(' ')}
          set place $next
        else
          set number (math $number + 1)
        end
    end
    set -e words[1]
  end
  test "$place" = "$argv[1]"
  or return 1
  if set -q argv[2]
    test $number = $argv[2]
  else
    test -z "$ended"
  end
end`,
    ...argumentsOf(places).map(
      ({ path, at: number, names }) => `${at(path, String(number))} -f -a ${quoted(names.join(' '))}`,
    ),
    ...places.flatMap(({ path, words, flags }) => [
      ...words.map(([name, text]) => `${at(path, '0')} -f -a ${name} -d ${quoted(text)}`),
      ...entriesOf(flags).map((flag) => flagLine(at(path), flag)),
    ]),
    ...entriesOf(commonFlags).map((flag) => flagLine(beforeDashes, flag)),
  ].join('\n');
}
