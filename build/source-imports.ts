import { parseSync } from 'vite';

export interface SourceImport {
  /** As written; null where it is not a plain string, which no check can follow. */
  specifier: string | null;
  line: number;
}

/**
 * Every way a TypeScript file can name another module: static, type-only, re-exported, dynamic,
 * `typeof import('…')`, `import x = require('…')`, `require('…')`.
 * null when the file does not parse.
 */
export function sourceImports(fileName: string, text: string): SourceImport[] | null {
  const { program, errors } = parseSync(fileName, text);
  if (errors.length > 0) return null;
  const found: SourceImport[] = [];
  visit(program, (node) => {
    const source = moduleNamedBy(node);
    if (source !== undefined) found.push({ specifier: literal(source), line: lineAt(text, Number(node.start)) });
  });
  return found;
}

type SyntaxNode = Record<string, unknown>;

function moduleNamedBy(node: SyntaxNode): unknown {
  switch (node.type) {
    case 'ImportDeclaration':
    case 'ImportExpression':
    case 'TSImportType':
      return node.source ?? node.argument;
    case 'ExportNamedDeclaration':
    case 'ExportAllDeclaration':
      return node.source ?? undefined;
    case 'TSExternalModuleReference':
      return node.expression;
    case 'CallExpression':
      return isNode(node.callee) && node.callee.type === 'Identifier' && node.callee.name === 'require' ? firstOf(node.arguments) : undefined;
    default:
      return undefined;
  }
}

function visit(value: unknown, onNode: (node: SyntaxNode) => void): void {
  if (Array.isArray(value)) for (const item of value) visit(item, onNode);
  if (!isNode(value)) return;
  if (typeof value.type === 'string') onNode(value);
  for (const child of Object.values(value)) if (typeof child === 'object') visit(child, onNode);
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : null;
}

function literal(value: unknown): string | null {
  if (!isNode(value)) return null;
  if (value.type === 'TSLiteralType') return literal(value.literal);
  return value.type === 'Literal' && typeof value.value === 'string' ? value.value : null;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
