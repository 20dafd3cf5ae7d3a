/** A reported stop of the tour: what was done there, what the program answered, and the pictures of it. */
export interface DocumentedStop {
  /** Also the beginning of the names of its pictures: "library" has `library-light.png`. */
  name: string;
  title: string;
  /** A sentence or two. */
  did: string;
  /** Read from the page: text that services and people wrote may be in it. */
  answers: readonly string[];
  /** What left the program as text, as it is. */
  text?: string;
  themes: readonly Theme[];
}

type Theme = 'light' | 'dark';

export const pictureName = (stop: string, theme: Theme): string => `${stop}-${theme}.png`;

const introduction = [
  '# A tour of Vitrine',
  '',
  'Vitrine from its first start to the finished job, with the lab in place of a team’s services. ' +
    '`npm run tour` writes this',
  'page: it uses the real program in a browser, takes the pictures, and reads every result below from the page. ' +
    'The files',
  'it uploads are generated and harmless.',
];

/** The page `docs/tour.md`: the same for the same stops, with no time of day and no duration in it. */
export function tourReport(stops: readonly DocumentedStop[]): string {
  return `${[...introduction, ...stops.flatMap(stopLines)].join('\n')}\n`;
}

function stopLines(stop: DocumentedStop, index: number): string[] {
  const { name, title, did, answers, text, themes } = stop;
  const pictures = themes.map((theme) => `![${title}, ${theme}](pictures/${pictureName(name, theme)})`);
  return [
    '',
    `## ${index + 1}. ${title}`,
    '',
    did,
    '',
    ...answers.map((answer) => `- ${asText(answer)}`),
    ...(text === undefined ? [] : ['', ...asBlock(text)]),
    ...pictures.flatMap((picture) => ['', picture]),
  ];
}

/** On one line, and nothing in it is Markdown. */
const asText = (answer: string): string =>
  answer
    .replaceAll(/\s+/g, ' ')
    .trim()
    .replaceAll(/[\\`*_[\]<>#|~]/g, String.raw`\$&`);

/** A fence longer than any run of its own in the text cannot be closed by it. */
function asBlock(text: string): string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [`${fence}text`, text.trimEnd(), fence];
}
