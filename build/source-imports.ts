import { parseSync } from 'vite';
import { isNode, lineAt, type SyntaxNode, visit } from './syntax-tree.ts';

type ModuleRecord = ReturnType<typeof parseSync>['module'];

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
  const parsed = parseSync(fileName, text);
  if (parsed.errors.length > 0) return null;
  // The tree takes ten times as long to get as to parse, and most files name no module but in statements.
  return mayNameMore(text, parsed.module) ? inTree(text, parsed.program) : inStatements(text, parsed.module);
}

/**
 * Whether a keyword occurs more often than in the statements that the parser lists: types, calls and empty exports are
 * in no list.
 */
function mayNameMore(text: string, { staticImports, staticExports }: ModuleRecord): boolean {
  const words = (word: RegExp): number => text.match(word)?.length ?? 0;
  return (
    words(/\brequire\b/g) > 0 ||
    words(/\bimport\b/g) > staticImports.length ||
    words(/\bexport\b/g) > staticExports.length
  );
}

function inStatements(text: string, { staticImports, staticExports }: ModuleRecord): SourceImport[] {
  const exported = staticExports.flatMap(({ start, entries }) =>
    entries.flatMap(({ moduleRequest }) => (moduleRequest ? [{ start, moduleRequest }] : [])),
  );
  // By place: each name of a statement names the module again, and a re-exported import names the import's.
  const named = new Map([...exported, ...staticImports].map((each) => [each.moduleRequest.start, each]));
  return [...named.values()]
    .toSorted((one, other) => one.moduleRequest.start - other.moduleRequest.start)
    .map(({ start, moduleRequest }) => ({ specifier: moduleRequest.value, line: lineAt(text, start) }));
}

function inTree(text: string, program: unknown): SourceImport[] {
  const found: SourceImport[] = [];
  visit(program, (node) => {
    const source = moduleNamedBy(node);
    if (source !== undefined) found.push({ specifier: literal(source), line: lineAt(text, Number(node.start)) });
  });
  return found;
}

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
      return isNode(node.callee) && node.callee.type === 'Identifier' && node.callee.name === 'require'
        ? firstOf(node.arguments)
        : undefined;
    default:
      return undefined;
  }
}

function firstOf(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : null;
}

function literal(value: unknown): string | null {
  if (!isNode(value)) return null;
  if (value.type === 'TSLiteralType') return literal(value.literal);
  return value.type === 'Literal' && typeof value.value === 'string' ? value.value : null;
}
