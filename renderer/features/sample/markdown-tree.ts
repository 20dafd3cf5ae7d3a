import MarkdownIt, { type Token } from 'markdown-it';

/** Elements that a note may become: none that loads, leads elsewhere or runs. */
const tags = [
  'p',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'ul',
  'ol',
  'li',
  'em',
  'strong',
  's',
  'table',
  'thead',
  'tbody',
  'tr',
  'th',
  'td',
] as const;
export type MarkdownTag = (typeof tags)[number];

/** A piece of a note. Texts and addresses are as written: the renderer makes them harmless. */
export type MarkdownNode =
  | { kind: 'element'; tag: MarkdownTag; children: readonly MarkdownNode[] }
  | { kind: 'text' | 'code' | 'block'; text: string }
  | { kind: 'break' | 'rule' }
  | { kind: 'link'; address: string; children: readonly MarkdownNode[] }
  | { kind: 'picture'; address: string; text: string };

export interface MarkdownTree {
  nodes: readonly MarkdownNode[];
  /** There is more than is drawn. */
  isCut: boolean;
  /** Something is nested deeper than is drawn. */
  isTooDeep: boolean;
}

/** More of them at once block the page. One with an address comes with a button, and weighs as much as several. */
export const mostNodes = 4000;
const weightOfAddress = 8;
const deepest = 20;
/** Blocks and inline content: the reader does not count emphasis, however deeply it is nested. */
const mostOpen = 2 * deepest;

const reader = new MarkdownIt({ html: false, linkify: false, typographer: false, maxNesting: deepest });

/**
 * Reads Markdown (CommonMark, tables and strikethrough). HTML is text, and so is a link to a script. Its depth and the
 * number of its nodes are bounded, whatever was written.
 */
export function markdownTree(source: string): MarkdownTree {
  const tokens = reader.parse(source, {});
  const tree = new TreeBuilder();
  tree.addAll(tokens);
  return {
    nodes: tree.nodes,
    isCut: tree.isFull,
    isTooDeep: tree.isTooDeep || tokens.some(({ level, nesting }) => nesting === 1 && level >= deepest - 1),
  };
}

interface Open {
  node: MarkdownNode | null;
  children: MarkdownNode[];
}

/** Tokens come flat, each with whether it opens or closes: those of a line are held by one. */
class TreeBuilder {
  readonly nodes: MarkdownNode[] = [];
  readonly #open: Open[] = [{ node: null, children: this.nodes }];
  #count = 0;
  isTooDeep = false;

  get isFull(): boolean {
    return this.#count > mostNodes;
  }

  addAll(tokens: readonly Token[]): void {
    for (const token of tokens) {
      if (this.isFull) return;
      if (token.type === 'inline') this.addAll(token.children ?? []);
      else if (token.nesting === 1) this.#begin(token);
      else if (token.nesting === -1) this.#end();
      else this.#put(token);
    }
  }

  #begin(token: Token): void {
    const children: MarkdownNode[] = [];
    const isDeeper = this.#open.length > mostOpen;
    this.isTooDeep ||= isDeeper;
    const node = isDeeper ? null : nodeOf(token, children);
    if (node !== null) this.#add(node);
    // An unsupported element is replaced by its children.
    this.#open.push({ node, children: node === null ? this.#here : children });
  }

  #end(): void {
    if (this.#open.length > 1) this.#open.pop();
  }

  #put(token: Token): void {
    if (token.type === 'image')
      this.#add({ kind: 'picture', address: String(token.attrGet('src') ?? ''), text: token.content });
    else if (token.type === 'hardbreak') this.#add({ kind: 'break' });
    else if (token.type === 'softbreak') this.#add({ kind: 'text', text: '\n' });
    else if (token.type === 'hr') this.#add({ kind: 'rule' });
    else if (token.type === 'fence' || token.type === 'code_block') this.#add({ kind: 'block', text: token.content });
    else if (token.type === 'code_inline') this.#add({ kind: 'code', text: token.content });
    else if (token.content !== '') this.#add({ kind: 'text', text: token.content });
  }

  #add(node: MarkdownNode): void {
    this.#count += 'address' in node ? weightOfAddress : 1;
    this.#here.push(node);
  }

  get #here(): MarkdownNode[] {
    return this.#open.at(-1)?.children ?? this.nodes;
  }
}

function nodeOf(token: Token, children: readonly MarkdownNode[]): MarkdownNode | null {
  if (token.type === 'link_open') return { kind: 'link', address: String(token.attrGet('href') ?? ''), children };
  const tag = tags.find((each) => each === token.tag);
  // The paragraphs of a tight list are none.
  return tag === undefined || token.hidden ? null : { kind: 'element', tag, children };
}
