/** A node of the tree that Vite's parser makes of TypeScript: ESTree, with nodes of its own for types. */
export type SyntaxNode = Record<string, unknown>;

type NodeReader = (node: SyntaxNode, parent: SyntaxNode | null) => boolean | void;

/** Goes through all nodes below a value, parents first. Where `onNode` returns false, it skips what is below. */
export function visit(value: unknown, onNode: NodeReader, parent: SyntaxNode | null = null): void {
  if (Array.isArray(value)) for (const item of value) visit(item, onNode, parent);
  if (!isNode(value)) return;
  const isOfTree = typeof value.type === 'string';
  if (isOfTree && onNode(value, parent) === false) return;
  for (const child of Object.values(value)) {
    if (typeof child === 'object') visit(child, onNode, isOfTree ? value : parent);
  }
}

export function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** From 1. */
export function lineAt(text: string, offset: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
