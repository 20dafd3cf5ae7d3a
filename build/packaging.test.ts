import { type ChildProcess, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { extractAll, listPackage } from '@electron/asar';
import { build } from 'electron-builder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nativeEnginePath } from './native-engine.ts';
import { packageBin } from './package-bin.ts';
import { packaging } from './packaging.ts';
import { root } from './paths.ts';
import { runNode } from './run-command.ts';
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

test('each system has its installer', () => {
  const { linux, win, mac } = packaging;
  expect([linux?.target, win?.target, mac?.target]).toEqual([['AppImage', 'deb'], ['nsis'], ['dmg']]);
});

/** electron-builder packs the program around a stand-in for the runtime, which build machines do not have. */
describe.runIf(process.platform === 'linux')('the packed program', () => {
  let tree: string;
  let files: string[];
  beforeAll(async () => {
    tree = mkdtempSync(join(tmpdir(), 'vitrine-packed-'));
    const host = join(tree, '.out', 'host');
    for (const config of ['build/vite.host.ts', 'build/vite.preload.ts']) {
      const { code, output } = await runNode(packageBin('vite'), ['build', '--config', config, '--outDir', host], { capture: true });
      if (code !== 0) throw new Error(output);
    }
    mkdirSync(join(tree, '.out', 'page'));
    writeFileSync(join(tree, '.out', 'page', 'index.html'), '<!doctype html>');
    copyFileSync(join(root, 'package.json'), join(tree, 'package.json'));
    await build({
      projectDir: tree,
      dir: true,
      linux: [],
      publish: 'never',
      config: {
        ...packaging,
        // They are burnt into the real binary.
        electronFuses: null,
        electronVersion: '45.4.1',
        electronDist: standInRuntime(join(tree, 'runtime')),
        directories: { output: join(tree, 'packed'), buildResources: join(root, 'build', 'icons') },
      },
    });
    files = listPackage(join(tree, 'packed', 'linux-unpacked', 'resources', 'app.asar'), { isPack: false });
  });
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  const startScanner = (unpacked: string): ChildProcess => {
    extractAll(join(tree, 'packed', 'linux-unpacked', 'resources', 'app.asar'), unpacked);
    return fork(join(unpacked, '.out', 'host', 'electron', 'scanner.js'), [], { execArgv: [] });
  };

  test('holds the entries, the preload, the workers and the page', () => {
    const entries = ['main.js', 'lab.js', 'web.js', 'scanner.js', 'preload.cjs'];
    const workers = globSync('**/*-worker.ts', { cwd: join(root, 'electron') }).map((path) => path.replace(/\.ts$/, '.js'));
    expect(workers).toContain(join('vault', 'storing', 'storing-worker.js'));
    const host = [...entries, ...workers];
    expect(files).toEqual(expect.arrayContaining(['/package.json', '/.out/page/index.html', ...host.map((name) => `/.out/host/electron/${name}`)]));
  });

  test('holds the engine at the place of the module that reads it', () => {
    expect(files).toContain('/.out/host/electron/rules/engine/yara-x.wasm');
    const readers = files.filter((path) => path.endsWith('.js') && readFileSync(join(tree, path), 'utf8').includes('../electron/rules/engine/yara-x.js'));
    expect(readers).toEqual([expect.stringMatching(/^\/\.out\/host\/chunks\//)]);
  });

  test('has a process for scans, which compiles with the engine in WebAssembly', async () => {
    const scanner = startScanner(join(tree, 'with-wasm'));
    scanner.send({ kind: 'source', text: 'rule a { condition: true }' });
    scanner.send({ kind: 'compile', engine: 'wasm', variables: [], reported: null });
    expect(await once(scanner, 'message')).toEqual([{ kind: 'compiled' }, undefined]);
    scanner.kill('SIGKILL');
  });

  test.runIf(nativeEnginePath() !== null)('holds the native engine beside the archive, where the system can load it, and its process says that it runs', async () => {
    const engine = join('.out', 'host', 'electron', 'rules', 'engine', 'yara-x.node');
    const resources = join(tree, 'packed', 'linux-unpacked', 'resources');
    expect(existsSync(join(resources, 'app.asar.unpacked', engine))).toBe(true);
    const scanner = startScanner(join(tree, 'with-engine'));
    scanner.send({ kind: 'check' });
    expect(await once(scanner, 'message')).toEqual([{ kind: 'checked', failure: null }, undefined]);
    scanner.kill('SIGKILL');
  });

  test('names its desktop file, by which Linux finds whose notification it is', () => {
    const unpacked = join(tree, 'manifest');
    extractAll(join(tree, 'packed', 'linux-unpacked', 'resources', 'app.asar'), unpacked);
    expect(readFileSync(join(unpacked, 'package.json'), 'utf8')).toContain('"desktopName": "vitrine.desktop"');
  });

  test('holds no packages and no sources', () => {
    expect(files.filter((path) => /node_modules|\.tsx?$|\.map$|\/build\//.test(path))).toEqual([]);
  });

  test('starts its plain-Node entries as they were packed', () => {
    const unpacked = join(tree, 'unpacked');
    extractAll(join(tree, 'packed', 'linux-unpacked', 'resources', 'app.asar'), unpacked);
    for (const entry of ['web.js', 'lab.js']) {
      const { status, stderr } = spawnSync(process.execPath, [join(unpacked, '.out', 'host', 'electron', entry), '--help'], { encoding: 'utf8' });
      expect({ entry, status, stderr }).toEqual({ entry, status: 0, stderr: '' });
    }
  });
});

function standInRuntime(folder: string): string {
  mkdirSync(join(folder, 'resources'), { recursive: true });
  for (const name of ['electron', 'LICENSE', 'LICENSES.chromium.html']) writeFileSync(join(folder, name), '');
  writeFileSync(join(folder, 'version'), '45.4.1');
  chmodSync(join(folder, 'electron'), 0o755);
  return folder;
}
