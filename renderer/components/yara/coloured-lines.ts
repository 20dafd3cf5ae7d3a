import { yaraKeywords, type YaraToken, yaraTokens } from '../../../shared/domain/yara-scanner.ts';

/** How a piece of YARA source is drawn. */
export type YaraColour = 'plain' | 'keyword' | 'text' | 'comment';

export interface YaraPiece {
  text: string;
  kind: YaraColour;
}

/** The lines of a source, each in pieces of one colour. Joined they are the line as it is, without its line break. */
export function colouredLines(text: string): YaraPiece[][] {
  const lines: YaraPiece[][] = [[]];
  for (const token of yaraTokens(text)) {
    const kind = colourOf(token, text);
    const [first = '', ...further] = text.slice(token.start, token.end).split('\n');
    append(lines.at(-1), first, kind);
    for (const line of further) {
      lines.push([]);
      append(lines.at(-1), line, kind);
    }
  }
  return lines;
}

/** Neighbours of one colour are one piece. */
function append(line: YaraPiece[] | undefined, text: string, kind: YaraColour): void {
  const last = line?.at(-1);
  if (last?.kind === kind) last.text += text;
  else if (text !== '') line?.push({ text, kind });
}

function colourOf({ kind, start, end }: YaraToken, source: string): YaraColour {
  switch (kind) {
    case 'word':
      return yaraKeywords.has(source.slice(start, end)) ? 'keyword' : 'plain';
    case 'comment':
      return kind;
    case 'text':
    case 'hex':
    case 'regex':
      return 'text';
    default:
      return 'plain';
  }
}
