import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync } from 'vite';
import type { CheckOutcome } from './check-outcome.ts';
import {
  functionsWithNames,
  functionsWithoutNames,
  type NamedAlgorithm,
  optionsWithNames,
} from './electron-algorithms.ts';
import { root } from './paths.ts';
import { isNode, lineAt, type SyntaxNode, visit } from './syntax-tree.ts';

const cryptoModule = /^(?:node:)?crypto$/;
const byName = 'import functions of node:crypto by their names, at the top';
const forTests = /\.(?:test|fixture|fuzz|setup)\.ts$|\/(?:test(?:ing)?|fuzz)\//;

/**
 * Checks that the host names no algorithm that Electron lacks: on Node, where tests run, OpenSSL has it, and the
 * program would fail on a user's computer alone. A name must be readable where it is used: a string, or a constant of
 * the file.
 */
export function checkAlgorithms(tree: string = root): CheckOutcome {
  const files = globSync('electron/**/*.{ts,mts,cts}', { cwd: tree }).map((path) => path.replaceAll('\\', '/'));
  const problems = files
    .filter((path) => !forTests.test(path))
    .flatMap((path) => algorithmProblems(path, readFileSync(posix.join(tree, path), 'utf8')));
  return { name: 'algorithms', passed: problems.length === 0, report: problems.join('\n') };
}

/** The sentences for one file; `path` is relative to the project's top. */
export function algorithmProblems(path: string, text: string): string[] {
  if (!/crypto|subtle|getBuiltinModule/.test(text)) return [];
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) return [`${path}: does not parse`];
  const found = new FileAlgorithms(parsed.program).problems();
  return found.map(({ node, problem }) => `${path}:${lineAt(text, Number(node.start))}: ${problem}`);
}

interface Problem {
  node: SyntaxNode;
  problem: string;
}

class FileAlgorithms {
  readonly #program: unknown;
  readonly #constants: Map<string, unknown>;
  readonly #problems: Problem[] = [];
  /** What the file calls them → what they are called in `node:crypto`. */
  readonly #imported = new Map<string, string>();
  /** Where a function becomes one that gives a promise, under a name that is checked as its own. */
  readonly #promisified = new Set<SyntaxNode>();

  constructor(program: unknown) {
    this.#program = program;
    this.#constants = constantsOf(program);
  }

  problems(): Problem[] {
    visit(this.#program, (node) => this.#readModule(node));
    visit(this.#program, (node) => this.#readPromisified(node));
    visit(this.#program, (node, parent) => this.#readUse(node, parent));
    return this.#problems;
  }

  #add(node: SyntaxNode, problem: string): void {
    this.#problems.push({ node, problem });
  }

  #readModule(node: SyntaxNode): void {
    if (!isNode(node.source) || !cryptoModule.test(String(node.source.value))) return;
    if (node.type !== 'ImportDeclaration') return this.#add(node, byName);
    if (node.importKind === 'type' || !Array.isArray(node.specifiers)) return;
    const specifiers = node.specifiers.filter(isNode);
    for (const specifier of specifiers) if (specifier.importKind !== 'type') this.#readSpecifier(specifier);
  }

  #readSpecifier(specifier: SyntaxNode): void {
    const [name, local] = [nameOf(specifier.imported), nameOf(specifier.local)];
    if (name === null || local === null) return this.#add(specifier, byName);
    // Types may be imported beside functions, and begin with a capital.
    if (/^(?:Cipher|Decipher|Hash|Hmac|Sign|Verify)/.test(name) || functionsWithoutNames.includes(name)) return;
    if (Object.hasOwn(functionsWithNames, name)) this.#imported.set(local, name);
    else this.#add(specifier, `Electron may have no ${name}; if it has, add it to build/electron-algorithms.ts`);
  }

  /** `const derive = promisify(pbkdf2)` */
  #readPromisified({ type, id, init }: SyntaxNode): void {
    if (type !== 'VariableDeclarator' || !isNode(init) || nameOf(init.callee) !== 'promisify') return;
    const [name, imported] = [nameOf(id), this.#imported.get(nameOf(argumentsOf(init)[0]) ?? '')];
    if (name === null || imported === undefined) return;
    this.#imported.set(name, imported);
    this.#promisified.add(init);
  }

  /** @returns false where types begin, which name algorithms for nobody */
  #readUse(node: SyntaxNode, parent: SyntaxNode | null): boolean {
    const type = String(node.type);
    if (type === 'ImportDeclaration' || /^TS(?!.*Expression$|ParameterProperty$)/.test(type)) return false;
    if (type === 'MemberExpression' && ['subtle', 'webcrypto'].includes(nameOf(node.property) ?? '')) {
      this.#add(node, 'use node:crypto, whose algorithms are checked');
    }
    if (type === 'CallExpression') this.#readCall(node);
    const local = nameOf(node);
    if (local !== null && this.#imported.has(local) && !isOnlyAName(node, parent) && !this.#isPromisified(parent)) {
      this.#add(node, `call ${local} here: where it is passed on, its algorithm is not seen`);
    }
    return true;
  }

  /** Both names of `const derive = promisify(pbkdf2)`. */
  #isPromisified(parent: SyntaxNode | null): boolean {
    return parent !== null && [parent, parent.init].some((node) => isNode(node) && this.#promisified.has(node));
  }

  #readCall(call: SyntaxNode): void {
    if (isNode(call.callee) && nameOf(call.callee.property) === 'getBuiltinModule') this.#readBuiltin(call);
    const name = this.#imported.get(nameOf(call.callee) ?? '');
    const given = argumentsOf(call);
    const named = name === undefined ? undefined : functionsWithNames[name];
    if (name === undefined || named === undefined) return;
    const isSpread = given.slice(0, named.argument + 1).some((each) => typeOf(each) === 'SpreadElement');
    this.#readNames(call, isSpread ? undefined : given[named.argument], named);
    const hasOptionsElsewhere = given.length > 1 && !/^(?:Object|ArrowFunction)Expression$/.test(typeOf(given[1]));
    if (name.startsWith('generateKeyPair') && hasOptionsElsewhere) {
      this.#add(call, 'write the options here: one of them may name an algorithm');
    }
    visit(given, (node) => {
      const names = optionsWithNames[node.type === 'Property' ? (nameOf(node.key) ?? '') : ''];
      if (names !== undefined) this.#readNames(node, node.value, { argument: 0, names });
    });
  }

  #readBuiltin(call: SyntaxNode): void {
    const names = this.#stringsOf(argumentsOf(call)[0], 0);
    if (names === null || names.some((name) => cryptoModule.test(name))) this.#add(call, byName);
  }

  #readNames(at: SyntaxNode, expression: unknown, { names, mayBeNull }: NamedAlgorithm): void {
    if (mayBeNull === true && isNode(expression) && expression.type === 'Literal' && expression.value === null) return;
    const written = this.#stringsOf(expression, 0);
    if (written === null) return this.#add(at, 'write the algorithm as a string, or as a constant of this file');
    for (const name of written.filter((each) => !names.includes(each))) {
      this.#add(at, `Electron has no ${name}: its crypto is BoringSSL (build/electron-algorithms.ts)`);
    }
  }

  /** All that an expression can be; null where that is not seen. */
  #stringsOf(expression: unknown, depth: number): string[] | null {
    if (!isNode(expression) || depth > 8) return null;
    const all = (...parts: unknown[]): string[] | null => allOf(parts.map((part) => this.#stringsOf(part, depth + 1)));
    switch (expression.type) {
      case 'Literal':
        return typeof expression.value === 'string' ? [expression.value] : null;
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return all(expression.expression);
      case 'ConditionalExpression':
        return all(expression.consequent, expression.alternate);
      case 'Identifier':
        return all(this.#constants.get(nameOf(expression) ?? ''));
      default:
        return null;
    }
  }
}

const allOf = (parts: (string[] | null)[]): string[] | null =>
  parts.includes(null) ? null : parts.flatMap((part) => part ?? []);

const typeOf = (node: unknown): string => (isNode(node) ? String(node.type) : '');

const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' ? String(node.name) : null;

const argumentsOf = (call: SyntaxNode): unknown[] => (Array.isArray(call.arguments) ? call.arguments : []);

/** Where an identifier is called, or is the name of a property, and no value that goes somewhere. */
function isOnlyAName(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (parent === null) return false;
  if (parent.type === 'CallExpression') return parent.callee === node;
  if (parent.type === 'MemberExpression') return parent.property === node && parent.computed !== true;
  const isKey = /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(typeOf(parent)) && parent.key === node;
  return isKey && parent.computed !== true && parent.shorthand !== true;
}

/** The constants at the top of a file that nothing within it hides: name → what they are. */
function constantsOf(program: unknown): Map<string, unknown> {
  const constants = new Map<string, unknown>();
  const times = new Map<string, number>();
  const count = (node: unknown): void => visit(node, (each) => {
    const name = nameOf(each);
    if (name !== null) times.set(name, (times.get(name) ?? 0) + 1);
  });
  visit(program, (node) => {
    if (Array.isArray(node.params)) count(node.params);
    if (node.type === 'CatchClause') count(node.param);
    if (node.type !== 'VariableDeclaration' || !Array.isArray(node.declarations)) return;
    for (const declared of node.declarations.filter(isNode)) {
      count(declared.id);
      const name = nameOf(declared.id);
      if (node.kind === 'const' && name !== null) constants.set(name, declared.init);
    }
  });
  return new Map([...constants].filter(([name]) => times.get(name) === 1));
}
