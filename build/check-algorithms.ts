import { globSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { parseSync } from 'vite';
import type { CheckOutcome } from './check-outcome.ts';
import { functionsWithNames, functionsWithoutNames, optionsWithNames } from './electron-algorithms.ts';
import { root } from './paths.ts';
import { isNode, lineAt, type SyntaxNode, visit } from './syntax-tree.ts';

const cryptoModule = /^(?:node:)?crypto$/;
const byName = 'import functions of node:crypto by their names, at the top';
const readably = 'write the algorithm as a string, or as a constant at the top of this file';
const forTests = /\.(?:test|fixture|fuzz|setup)\.\w+$|\/(?:test(?:ing)?|fuzz)\//;
const sources = '{electron,shared}/**/*.{ts,tsx,mts,cts,js,jsx,mjs,cjs}';
/** Ways to crypto without an import of it: as names, and as strings too. */
const unseenName = /^(?:webcrypto|subtle|getBuiltinModule)$/;
const unseenString = /^(?:(?:node:)?crypto|webcrypto|subtle|getBuiltinModule)$/;

/**
 * Checks that the host names no algorithm that Electron lacks: on Node, where tests run, OpenSSL has it, and the
 * program would fail on a user's computer alone. A name must be readable where it is used: a string, or a constant at
 * the top of the same file.
 *
 * The check finds mistakes, not malice. It does not read tests (by their file names, and the folders `testing/`,
 * `test/` and `fuzz/`), bundled packages, text that is run as code, names of modules or properties that are put
 * together while the program runs, and options or keys that come from another file.
 */
export function checkAlgorithms(tree: string = root): CheckOutcome {
  const files = globSync(sources, { cwd: tree }).map((path) => path.replaceAll('\\', '/'));
  const problems = files
    .filter((path) => !forTests.test(path))
    .flatMap((path) => algorithmProblems(path, readFileSync(posix.join(tree, path), 'utf8')));
  return { name: 'algorithms', passed: problems.length === 0, report: problems.join('\n') };
}

/** The sentences for one file; `path` is relative to the project's top. */
export function algorithmProblems(path: string, text: string): string[] {
  const parsed = parseSync(path, text);
  if (parsed.errors.length > 0) return [`${path}: does not parse`];
  const found = new FileAlgorithms(nodesIn(parsed.program.body)).problems();
  return found.map(({ node, problem }) => `${path}:${lineAt(text, Number(node.start))}: ${problem}`);
}

interface Problem {
  node: SyntaxNode;
  problem: string;
}

class FileAlgorithms {
  readonly #statements: SyntaxNode[];
  readonly #constants: Map<string, unknown>;
  readonly #problems: Problem[] = [];
  /** What the file calls them → what they are called in `node:crypto`. */
  readonly #imported = new Map<string, string>();
  /** What the file calls the functions that name no algorithm themselves, while their options may. */
  readonly #withOptions = new Set<string>();
  /** Names and strings that are fine where they are. */
  readonly #allowed = new Set<unknown>();
  #importsCrypto = false;

  constructor(statements: SyntaxNode[]) {
    this.#statements = statements;
    this.#constants = constantsOf(statements);
  }

  problems(): Problem[] {
    for (const statement of this.#statements) this.#readImport(statement);
    for (const declared of this.#statements.flatMap(declaratorsIn)) this.#readPromisified(declared);
    visit(this.#statements, (node) => this.#allowHidden(node));
    visit(this.#statements, (node, parent) => this.#readUse(node, parent));
    return this.#problems;
  }

  #add(node: SyntaxNode, problem: string): void {
    this.#problems.push({ node, problem });
  }

  #readImport({ type, source, importKind, specifiers }: SyntaxNode): void {
    if (type !== 'ImportDeclaration' || !cryptoModule.test(stringOf(source) ?? '')) return;
    this.#importsCrypto = true;
    this.#allowed.add(source);
    if (importKind === 'type') return;
    for (const specifier of nodesIn(specifiers)) if (specifier.importKind !== 'type') this.#readSpecifier(specifier);
  }

  #readSpecifier(specifier: SyntaxNode): void {
    const [name, local] = [nameOf(specifier.imported), nameOf(specifier.local)];
    if (name === null || local === null) return this.#add(specifier, byName);
    this.#allowed.add(specifier.imported).add(specifier.local);
    if (functionsWithoutNames.includes(name)) this.#withOptions.add(local);
    else if (Object.hasOwn(functionsWithNames, name)) this.#imported.set(local, name);
    else this.#add(specifier, `Electron may have no ${name}; if it has, add it to build/electron-algorithms.ts`);
  }

  /** `const derive = promisify(pbkdf2)`, at the top of the file: `derive` takes the names that `pbkdf2` does. */
  #readPromisified({ id, init }: SyntaxNode): void {
    if (!isNode(init) || nameOf(init.callee) !== 'promisify') return;
    const [name, given] = [nameOf(id), argumentsOf(init)[0]];
    const imported = this.#imported.get(nameOf(given) ?? '');
    if (name === null || imported === undefined) return;
    this.#imported.set(name, imported);
    this.#allowed.add(id).add(given);
  }

  /** A function, a block or a loop that declares the name of an import for itself means something else by it. */
  #allowHidden(node: SyntaxNode): void {
    const within = [node.init, node.left, ...nodesIn(node.body)].filter(isNode).flatMap(declaratorsIn);
    for (const name of [node, ...within].flatMap(namesDeclaredBy).filter((each) => this.#imported.has(each))) {
      visit(node, (each) => void (nameOf(each) === name && this.#allowed.add(each)));
    }
  }

  /** @returns false where types begin: they name no algorithm to use */
  #readUse(node: SyntaxNode, parent: SyntaxNode | null): boolean {
    if (isOfTypes(node)) return false;
    if (node.type === 'ImportExpression' && stringOf(node.source) === null) {
      this.#add(node, 'import a plain string: it may be node:crypto');
    }
    if (/^(?:Call|New)Expression$/.test(typeOf(node))) this.#readCall(node);
    this.#readOption(node);
    if (this.#allowed.has(node)) return true;
    const [name, string] = [nameOf(node) ?? '', stringOf(node) ?? ''];
    if (unseenName.test(name) || unseenString.test(string)) {
      this.#add(node, `the check does not follow ${name}${string}: ${byName}`);
    }
    if (this.#imported.has(name) && !isOnlyAName(node, parent)) {
      this.#add(node, `call ${name} here: where it is passed on, its algorithm is not seen`);
    }
    return true;
  }

  #readCall(call: SyntaxNode): void {
    const callee = isNode(call.callee) ? call.callee : {};
    const [local, method, given] = [nameOf(callee) ?? '', propertyOf(callee), argumentsOf(call)];
    if (method === 'getBuiltinModule' && stringOf(given[0]) !== null) this.#allowed.add(callee.property);
    const name = this.#allowed.has(callee) ? undefined : this.#imported.get(local);
    if (name !== undefined) this.#readNamed(call, name);
    const isOfCrypto = name !== undefined || this.#withOptions.has(local) || method === 'export';
    if (isOfCrypto && this.#importsCrypto) visit(given, (node) => this.#readOptionOfCall(node));
  }

  #readNamed(call: SyntaxNode, name: string): void {
    const [given, named] = [argumentsOf(call), functionsWithNames[name]];
    if (named === undefined) return;
    const isSpread = given.slice(0, named.argument + 1).some((each) => typeOf(each) === 'SpreadElement');
    const expression = isSpread ? undefined : given[named.argument];
    const isNull = isNode(expression) && expression.type === 'Literal' && expression.value === null;
    if (named.mayBeNull !== true || !isNull) this.#readNames(call, this.#stringsOf(expression, 0), named.names);
    if (name.startsWith('generateKeyPair') && given.length > 1 && !isWrittenHere(given[1])) {
      this.#add(call, 'write the options here: one of them may name an algorithm');
    }
  }

  /** An option in a call of crypto must be readable. A call within it is read by itself. */
  #readOptionOfCall(node: SyntaxNode): boolean {
    if (/Function|^(?:Call|New)Expression$/.test(typeOf(node))) return false;
    const option = optionIn(node);
    if (option !== null && this.#stringsOf(option.value, 0) === null) this.#add(node, readably);
    return true;
  }

  /** Options may be put together before the call: a name that can be read is checked in each object. */
  #readOption(node: SyntaxNode): void {
    const option = this.#importsCrypto ? optionIn(node) : null;
    const written = option === null ? null : this.#stringsOf(option.value, 0);
    if (option !== null && written !== null) this.#readNames(node, written, option.names);
  }

  #readNames(at: SyntaxNode, written: string[] | null, names: readonly string[]): void {
    if (written === null) return this.#add(at, readably);
    for (const name of written.filter((each) => !names.includes(each))) {
      this.#add(at, `Electron has no ${name}: its crypto is BoringSSL (build/electron-algorithms.ts)`);
    }
  }

  /** All that an expression can be; null where that is not seen. */
  #stringsOf(expression: unknown, depth: number): string[] | null {
    if (!isNode(expression) || depth > 8) return null;
    const all = (...parts: unknown[]): string[] | null => allOf(parts.map((part) => this.#stringsOf(part, depth + 1)));
    const quasis = nodesIn(expression.quasis);
    switch (expression.type) {
      case 'Literal':
        return allOf([stringOf(expression)]);
      case 'TemplateLiteral':
        return quasis.length === 1 ? allOf(quasis.map(stringOf)) : null;
      case 'ParenthesizedExpression':
      case 'TSAsExpression':
      case 'TSSatisfiesExpression':
        return all(expression.expression);
      case 'ConditionalExpression':
        return all(expression.consequent, expression.alternate);
      case 'LogicalExpression':
        return all(expression.left, expression.right);
      case 'Identifier':
        return all(this.#constants.get(nameOf(expression) ?? ''));
      default:
        return null;
    }
  }
}

const allOf = (parts: (string[] | string | null)[]): string[] | null =>
  parts.includes(null) ? null : parts.flatMap((part) => part ?? []);

const typeOf = (node: unknown): string => (isNode(node) ? String(node.type) : '');

const nodesIn = (list: unknown): SyntaxNode[] => (Array.isArray(list) ? list.filter(isNode) : []);

const declaratorsIn = (statement: SyntaxNode): SyntaxNode[] => nodesIn(statement.declarations);

const nameOf = (node: unknown): string | null =>
  isNode(node) && node.type === 'Identifier' ? String(node.name) : null;

/** The value of a string or of one part of a template. */
function stringOf(node: unknown): string | null {
  if (!isNode(node)) return null;
  if (node.type === 'TemplateElement') return isNode(node.value) ? String(node.value.cooked) : null;
  return node.type === 'Literal' && typeof node.value === 'string' ? node.value : null;
}

const argumentsOf = (call: SyntaxNode): unknown[] => (Array.isArray(call.arguments) ? call.arguments : []);

/** `b` of `a.b` and `a['b']`. */
const propertyOf = ({ property, computed }: SyntaxNode): string | null =>
  (computed === true ? null : nameOf(property)) ?? stringOf(property);

interface NamingOption {
  value: unknown;
  names: readonly string[];
}

/** `{ cipher: … }` and `options.cipher = …`, where the name of an algorithm belongs. */
function optionIn({ type, key, computed, value, left, right }: SyntaxNode): NamingOption | null {
  if (type === 'AssignmentExpression') return isNode(left) ? namedOption(propertyOf(left), right) : null;
  return type === 'Property' ? namedOption(propertyOf({ property: key, computed }), value) : null;
}

function namedOption(name: string | null, value: unknown): NamingOption | null {
  const names = name !== null && Object.hasOwn(optionsWithNames, name) ? optionsWithNames[name] : undefined;
  return names === undefined ? null : { value, names };
}

/** A callback, or an object that is written as a whole. */
function isWrittenHere(options: unknown): boolean {
  if (!isNode(options) || options.type === 'ArrowFunctionExpression') return true;
  return options.type === 'ObjectExpression' && nodesIn(options.properties).every(({ type }) => type === 'Property');
}

/** TypeScript's own nodes that leave something to run; its other ones are types. */
const runs = /^TS(?:.*Expression|ParameterProperty|ImportEquals.*|External.*|Export.*|Enum.*|Module.*)$/;

const isOfTypes = ({ type, importKind, exportKind }: SyntaxNode): boolean =>
  importKind === 'type' || exportKind === 'type' || (String(type).startsWith('TS') && !runs.test(String(type)));

/** Where an identifier is called, or is the name of a property or of an import, and no value that goes somewhere. */
function isOnlyAName(node: SyntaxNode, parent: SyntaxNode | null): boolean {
  if (parent === null) return false;
  if (parent.type === 'CallExpression') return parent.callee === node;
  if (parent.type === 'MemberExpression') return parent.property === node && parent.computed !== true;
  if (parent.type === 'ImportSpecifier') return true;
  const isKey = /^(?:Property|MethodDefinition|PropertyDefinition)$/.test(typeOf(parent)) && parent.key === node;
  return isKey && parent.computed !== true && parent.shorthand !== true;
}

/** Those of a function and its parameters, of a class, of what `catch` has caught, and of a declarator's variables. */
const namesDeclaredBy = ({ id, params, param }: SyntaxNode): string[] =>
  [id, param, ...nodesIn(params)].flatMap(namesBoundIn);

/** Default values and the keys of a pattern are no names that it binds. */
function namesBoundIn(pattern: unknown): string[] {
  if (!isNode(pattern)) return [];
  const { type, properties, elements, left, argument, parameter, value } = pattern;
  if (type === 'Identifier') return [String(pattern.name)];
  return [left, argument, parameter, value, ...nodesIn(properties), ...nodesIn(elements)].flatMap(namesBoundIn);
}

/** The constants at the top of a file, whose names nothing else in it has: name → what they are. */
function constantsOf(statements: SyntaxNode[]): Map<string, unknown> {
  const times = new Map<string, number>();
  visit(statements, (node) => {
    for (const name of namesDeclaredBy(node)) times.set(name, (times.get(name) ?? 0) + 1);
  });
  const atTop = statements.map((each) => (isNode(each.declaration) ? each.declaration : each));
  const declared = atTop.filter(({ kind }) => kind === 'const').flatMap(declaratorsIn);
  const named = declared.map(({ id, init }): [string, unknown] => [nameOf(id) ?? '', init]);
  return new Map(named.filter(([name]) => times.get(name) === 1));
}
