import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, cpSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { createPackage, extractAll } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { nativeEnginePath } from './native-engine.ts';
import { buildTree, packStandIn, type PackedStandIn } from './pack-program.ts';
import { faultsOf, packedFiles, sha256Of } from './packed-program.ts';
import { packaging } from './packaging.ts';
import { root } from './paths.ts';
import { packagingProblem } from './validate-packaging.ts';

test('the configuration holds against electron-builder’s schema, and a wrong one does not', async () => {
  expect(await packagingProblem(packaging)).toBeNull();
  expect(await packagingProblem(Object.assign({}, packaging, { electronFuse: {} }))).toContain('electronFuse');
});

test('the fuses close every way to run other code in the program', () => {
  expect(packaging.electronFuses).toMatchObject({
    runAsNode: false,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    enableCookieEncryption: true,
    grantFileProtocolExtraPrivileges: false,
  });
});

test('the packages and the running program have one identity, one scheme of links and one way to ask for a room', () => {
  const identity = readFileSync(join(root, 'electron', 'windows', 'app-identity.ts'), 'utf8');
  const { appId, protocols, linux } = packaging;
  expect(identity).toContain(`appId = '${appId}'`);
  expect(protocols).toEqual([expect.objectContaining({ schemes: ['vitrine'] })]);
  expect(identity).toContain(`deepLinkScheme = 'vitrine'`);
  const { entry, desktopActions } = linux?.desktop ?? {};
  expect(desktopActions?.['library']).toEqual({ Name: 'Library', Exec: 'vitrine --room=library' });
  expect(entry?.['Actions']?.split(';')).toEqual([...Object.keys(desktopActions ?? {}), '']);
});

test('no installer starts the program without its sandbox', () => {
  expect([packaging.linux?.executableArgs, packaging.appImage?.executableArgs]).toEqual([[], undefined]);
});

test('each system has its installer', () => {
  const { linux, win, mac } = packaging;
  expect([linux?.target, win?.target, mac?.target]).toEqual([['AppImage', 'deb'], ['nsis'], ['dmg']]);
});

/** electron-builder packs the program around a stand-in for the runtime, which build machines do not have. */
describe.runIf(process.platform === 'linux')('the packed program', () => {
  let tree: string;
  let packed: PackedStandIn;
  let paths: string[];
  beforeAll(async () => {
    tree = mkdtempSync(join(tmpdir(), 'vitrine-packed-'));
    await buildTree(join(tree, 'first'));
    packed = await packStandIn(join(tree, 'first'));
    paths = packedFiles(packed.archive).map(({ path }) => path);
    extractAll(packed.archive, join(tree, 'unpacked'));
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  const unpacked = (path: string): string => join(tree, 'unpacked', '.out', 'host', path);
  const startScanner = (): ChildProcess => fork(unpacked('electron/scanner.js'), [], { execArgv: [] });

  test('holds what it should, nothing else, nothing of who built it, and weighs less than it may', () => {
    expect(faultsOf(packed.archive)).toEqual([]);
  });

  test('holds the entries, the preload, the workers and the page', () => {
    const entries = ['main.js', 'lab.js', 'scanner.js', 'preload.cjs'];
    const workers = globSync('**/*-worker.ts', { cwd: join(root, 'electron') }).map((path) => path.replace(/\.ts$/, '.js'));
    expect(workers).toContain(join('vault', 'storing', 'storing-worker.js'));
    const host = [...entries, ...workers].map((name) => `.out/host/electron/${name}`);
    expect(paths).toEqual(expect.arrayContaining(['package.json', '.out/page/index.html', ...host]));
    expect(paths.filter((path) => path.startsWith('.out/page/assets/_virtual_licences-'))).toHaveLength(1);
  });

  test('has not the entries that need a Node of their own, nor what only they are made of', () => {
    const built = globSync('**/*.js', { cwd: join(tree, 'first', '.out', 'host') });
    const left = built.filter((path) => !paths.includes(`.out/host/${path}`));
    expect(left).toEqual(expect.arrayContaining(['electron/cli.js', 'electron/web.js']));
    expect(left.filter((path) => !/^(electron\/(cli|web)|chunks\/[\w-]+)\.js$/.test(path))).toEqual([]);
  });

  test('names every one of its workers by a path that is in it', () => {
    const started = paths.filter((path) => path.endsWith('.js') && path.startsWith('.out/host/')).flatMap((path) => startedBy(readFileSync(join(tree, 'first', path), 'utf8')));
    expect(started.length).toBeGreaterThan(8);
    expect(started.filter((path) => !paths.includes(`.out/host/${path}`))).toEqual([]);
  });

  test('packs to the same bytes again, from files of another time in another folder, with no packages there', async () => {
    const second = join(tree, 'second');
    cpSync(join(tree, 'first', '.out'), join(second, '.out'), { recursive: true });
    copyFileSync(join(tree, 'first', 'package.json'), join(second, 'package.json'));
    expect(sha256Of((await packStandIn(second)).archive)).toBe(sha256Of(packed.archive));
  });

  test('has the fuses burnt as they are configured', async () => {
    const wire = await getCurrentFuseWire(packed.executable);
    const states = Object.fromEntries(Object.entries(wire).map(([fuse, state]) => [FuseV1Options[Number(fuse)] ?? fuse, state === FuseState.ENABLE]));
    expect(states).toMatchObject({
      RunAsNode: false,
      EnableCookieEncryption: true,
      EnableNodeOptionsEnvironmentVariable: false,
      EnableNodeCliInspectArguments: false,
      EnableEmbeddedAsarIntegrityValidation: true,
      OnlyLoadAppFromAsar: true,
      GrantFileProtocolExtraPrivileges: false,
    });
  });

  test('holds the engine at the place of the module that reads it', () => {
    expect(paths).toContain('.out/host/electron/rules/engine/yara-x.wasm');
    const readers = paths.filter((path) => path.endsWith('.js') && readFileSync(join(tree, 'first', path), 'utf8').includes('../electron/rules/engine/yara-x.js'));
    expect(readers).toEqual([expect.stringMatching(/^\.out\/host\/chunks\//)]);
  });

  test('has a process for scans, which compiles with the engine in WebAssembly', async () => {
    const scanner = startScanner();
    scanner.send({ kind: 'source', text: 'rule a { condition: true }' });
    scanner.send({ kind: 'compile', engine: 'wasm', variables: [], reported: null });
    expect(await once(scanner, 'message')).toEqual([{ kind: 'compiled' }, undefined]);
    scanner.kill('SIGKILL');
  });

  test.runIf(nativeEnginePath() !== null)('holds the native engine beside the archive, where the system can load it, and its process says that it runs', async () => {
    expect(existsSync(join(packed.besides, '.out', 'host', 'electron', 'rules', 'engine', 'yara-x.node'))).toBe(true);
    const scanner = startScanner();
    scanner.send({ kind: 'check' });
    expect(await once(scanner, 'message')).toEqual([{ kind: 'checked', failure: null }, undefined]);
    scanner.kill('SIGKILL');
  });

  test('has a preload that asks for nothing but Electron, which is all that a sandbox gives', () => {
    const asked = readFileSync(unpacked('electron/preload.cjs'), 'utf8').matchAll(/\brequire\(([^)]*)\)/g);
    expect([...asked].map(([, name]) => name)).toEqual(['"electron"']);
  });

  test('names its entry, the kind of its modules and its desktop file, by which Linux finds whose notification it is', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(tree, 'unpacked', 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ main: '.out/host/electron/main.js', type: 'module', desktopName: 'vitrine.desktop' });
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
  });

  test('starts its lab as it was packed', () => {
    const { status, stderr } = spawnSync(process.execPath, [unpacked('electron/lab.js'), '--help'], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});

test('what is asked of an archive is missed in one that has more', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-archive-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'tree', 'node_modules'), { recursive: true });
  writeFileSync(join(folder, 'tree', 'package.json'), JSON.stringify({ builtIn: root }));
  writeFileSync(join(folder, 'tree', 'node_modules', 'a.test.js'), '//# sourceMappingURL=a.js.map');
  await createPackage(join(folder, 'tree'), join(folder, 'app.asar'));
  expect(faultsOf(join(folder, 'app.asar'))).toEqual([
    'node_modules/a.test.js is in it',
    'node_modules/a.test.js holds the name of a source map',
    'package.json holds the folder it was built in',
  ]);
});

/** The workers that a module starts, below the host's folder: by the place that the build gave it, and the entry it names. */
function startedBy(code: string): string[] {
  return [...code.matchAll(/entry: "(\.\/[a-z-]+-worker)",\s*beside: new URL\("([^"]+)"/g)].map(([, entry = '', beside = '']) => `${posix.join(beside.replace(/^(\.\.?\/)+/, ''), '..', entry)}.js`);
}
