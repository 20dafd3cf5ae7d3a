import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { compileFunction, createContext } from 'node:vm';
import { createPackage, extractAll } from '@electron/asar';
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { labWorkspaceId as workspaceId } from '../shared/domain/workspace.ts';
import { StandInDesktop } from './desktop-stand-in/stand-in-desktop.ts';
import { nativeEnginePath } from './native-engine.ts';
import { buildTree, copyTree, packStandIn, type PackedStandIn } from './pack-program.ts';
import { faultsOf, packedFiles, sha256Of } from './packed-program.ts';
import { packaging } from './packaging.ts';
import { root } from './paths.ts';
import { packagingProblem } from './validate-packaging.ts';

/** Three builds and an archive, on a machine that may do other things besides. */
const buildWithinMs = 240_000;
/** Hashes of the lab's sample file that is the test file of the antivirus programs. */
const eicar = {
  md5: '44d88612fea8a8f36de82e1278abb02f',
  sha256: '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f',
};

test('electron-builder’s schema accepts the configuration and rejects a wrong one', async () => {
  expect(await packagingProblem(packaging)).toBeNull();
  expect(await packagingProblem(Object.assign({}, packaging, { electronFuse: {} }))).toContain('electronFuse');
});

test('the fuses disable every way to run other code in the program', () => {
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

test('packages and running program share one identity, link scheme and view argument', () => {
  const identity = readFileSync(join(root, 'electron', 'windows', 'app-identity.ts'), 'utf8');
  const { appId, protocols, linux } = packaging;
  expect(identity).toContain(`appId = '${appId}'`);
  expect(protocols).toEqual([expect.objectContaining({ schemes: ['vitrine'] })]);
  expect(identity).toContain(`deepLinkScheme = 'vitrine'`);
  const { entry, desktopActions } = linux?.desktop ?? {};
  expect(desktopActions?.['library']).toEqual({ Name: 'Library', Exec: 'vitrine --view=library' });
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
    await layBuilt(join(tree, 'first'));
    packed = await packStandIn(join(tree, 'first'));
    paths = packedFiles(packed.archive).map(({ path }) => path);
    extractAll(packed.archive, join(tree, 'app.asar'));
  }, buildWithinMs);
  afterAll(() => rmSync(tree, { recursive: true, force: true }));

  const unpacked = (path: string): string => join(tree, 'app.asar', '.out', 'host', path);
  const startScanner = (): ChildProcess => fork(unpacked('electron/scanner.js'), [], { execArgv: [] });

  test('contains no development-only parts of the runtime', () => {
    const folder = dirname(packed.executable);
    expect(readdirSync(join(folder, 'resources')).toSorted()).toEqual(['app.asar', 'app.asar.unpacked']);
    expect(existsSync(join(folder, 'version'))).toBe(false);
  });

  test('contains only expected files and no build paths, and stays within its size limit', () => {
    expect(faultsOf(packed.archive)).toEqual([]);
  });

  test('contains the entries, the preload, the workers and the page', () => {
    const entries = ['main.js', 'lab.js', 'scanner.js', 'preload.cjs'];
    const workers = globSync('**/*-worker.ts', { cwd: join(root, 'electron') }).map((path) =>
      path.replace(/\.ts$/, '.js'),
    );
    expect(workers).toContain(join('vault', 'storing', 'storing-worker.js'));
    const host = [...entries, ...workers].map((name) => `.out/host/electron/${name}`);
    expect(paths).toEqual(expect.arrayContaining(['package.json', '.out/page/index.html', ...host]));
    expect(paths.filter((path) => path.startsWith('.out/page/assets/_virtual_licences-'))).toHaveLength(1);
  });

  test('leaves out the entries that need a separate Node and their own chunks', () => {
    const built = globSync('**/*.js', { cwd: join(tree, 'first', '.out', 'host') });
    const left = built.filter((path) => !paths.includes(`.out/host/${path}`));
    expect(left).toEqual(expect.arrayContaining(['electron/cli.js', 'electron/web.js']));
    expect(left.filter((path) => !/^(electron\/(cli|web)|chunks\/[\w-]+)\.js$/.test(path))).toEqual([]);
  });

  test('starts each of its workers by a path that it contains', () => {
    const started = paths
      .filter((path) => path.endsWith('.js') && path.startsWith('.out/host/'))
      .flatMap((path) => startedBy(readFileSync(join(tree, 'first', path), 'utf8')));
    expect(started.length).toBeGreaterThan(8);
    expect(started.filter((path) => !paths.includes(`.out/host/${path}`))).toEqual([]);
  });

  test('has the same bytes when it is packed in another folder with other file times, without packages', async () => {
    const second = join(tree, 'second');
    cpSync(join(tree, 'first', '.out'), join(second, '.out'), { recursive: true });
    copyFileSync(join(tree, 'first', 'package.json'), join(second, 'package.json'));
    expect(sha256Of((await packStandIn(second)).archive)).toBe(sha256Of(packed.archive));
  });

  test('has the fuses burnt as configured', async () => {
    const wire = await getCurrentFuseWire(packed.executable);
    const states = Object.fromEntries(
      Object.entries(wire).map(([fuse, state]) => [FuseV1Options[Number(fuse)] ?? fuse, state === FuseState.ENABLE]),
    );
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

  test('contains the SQL of every database version', () => {
    expect(paths.filter((path) => path.endsWith('.sql')).toSorted()).toEqual(
      globSync('electron/storage/migrations/*.sql', { cwd: root })
        .map((path) => `.out/host/${path.replaceAll('\\', '/')}`)
        .toSorted(),
    );
  });

  test('contains the engine beside the module that reads it', () => {
    expect(paths).toContain('.out/host/electron/rules/engine/yara-x.wasm');
    const readers = paths.filter(
      (path) =>
        path.endsWith('.js') &&
        readFileSync(join(tree, 'first', path), 'utf8').includes('../electron/rules/engine/yara-x.js'),
    );
    expect(readers).toEqual([expect.stringMatching(/^\.out\/host\/chunks\//)]);
  });

  test('has a scan process, which compiles with the engine in WebAssembly', async () => {
    const scanner = startScanner();
    scanner.send({ kind: 'source', text: 'rule a { condition: true }' });
    scanner.send({ kind: 'compile', engine: 'wasm', variables: [], reported: null });
    // Only Linux reports a thread's share of a processor.
    const thread = process.platform === 'linux' ? { process: scanner.pid, thread: scanner.pid } : null;
    expect(await once(scanner, 'message')).toEqual([{ kind: 'compiled', thread }, undefined]);
    scanner.kill('SIGKILL');
  });

  test.runIf(nativeEnginePath() !== null)(
    'has the native engine beside the archive, where the system can load it',
    () => {
      expect(existsSync(join(packed.besides, '.out', 'host', 'electron', 'rules', 'engine', 'yara-x.node'))).toBe(true);
    },
  );

  test('has a preload that provides the bridge and requires only Electron, as a sandbox demands', async () => {
    const given: Record<string, unknown> = {};
    const asked: unknown[] = [];
    const electron = {
      contextBridge: { exposeInMainWorld: (name: string, bridge: unknown) => void (given[name] = bridge) },
      ipcRenderer: { on: () => {}, invoke: async (...message: unknown[]) => void asked.push(message) },
      webUtils: { getPathForFile: () => '/dropped/file' },
    };
    const preload = compileFunction(readFileSync(unpacked('electron/preload.cjs'), 'utf8'), ['require', 'exports'], {
      parsingContext: createContext({ URL, URLSearchParams }),
    });
    Reflect.apply(preload, undefined, [(name: string) => (name === 'electron' ? electron : fail(name)), {}]);
    const { bridge } = given;
    if (
      typeof bridge !== 'object' ||
      bridge === null ||
      !('stageFile' in bridge) ||
      typeof bridge.stageFile !== 'function'
    )
      throw new TypeError('there is no bridge');
    await Reflect.apply(bridge.stageFile, undefined, [{}]);
    expect([Object.keys(given), Object.keys(bridge), asked]).toEqual([
      ['bridge'],
      ['call', 'subscribe', 'stageFile'],
      [['vitrine:call', { kind: 'stage', path: '/dropped/file' }]],
    ]);
  });

  test('names its entry, its module type and the desktop file that Linux uses for notifications', () => {
    const manifest: unknown = JSON.parse(readFileSync(join(tree, 'app.asar', 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({
      main: '.out/host/electron/main.js',
      type: 'module',
      desktopName: 'vitrine.desktop',
    });
    expect(manifest).not.toHaveProperty('devDependencies');
    expect(manifest).not.toHaveProperty('scripts');
  });

  describe('when started by Node with a simulated Electron', () => {
    const main = (): string => unpacked('electron/main.js');
    /** A message box once the program is ready, as on Linux, and before that an error box. */
    const errorBox = /^(?:message box: \{"type":"error"|error box: )/;
    test('shows its window, serves the page, and finds its lab, threads, engines and lab rules', async () => {
      const desktop = new StandInDesktop(main(), join(tree, 'new', 'data'));
      onTestFinished(() => desktop.kill());
      await expect.poll(() => desktop.reported, { timeout: 30_000 }).toContain('shown');
      expect(await desktop.load('/')).toMatchObject({
        status: 200,
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': expect.stringContaining("default-src 'none'"),
        },
      });
      const parts = paths.filter((path) => path.startsWith('.out/page/')).map((path) => path.slice('.out/page'.length));
      expect(await Promise.all(parts.map(async (path) => (await desktop.load(path)).status))).toEqual(
        parts.map(() => 200),
      );
      for (const path of ['/assets/', '/../host/electron/main.js', '/package.json'])
        expect((await desktop.load(path)).status).toBe(404);

      expect(await desktop.call('host.describe', {})).toMatchObject({
        platform: 'desktop',
        isPackaged: true,
        secrets: { store: 'keychain' },
      });
      await desktop.call('downloads.start', { workspaceId, md5: eicar.md5 });
      await desktop.call('publications.check', { workspaceId });
      const candidate = async (): Promise<string> =>
        (await desktop.call('publications.state', { workspaceId })).candidate ?? '';
      await expect.poll(candidate, { timeout: 30_000 }).not.toBe('');
      await desktop.call('publications.activate', { workspaceId, sha256: await candidate() });
      await expect
        .poll(async () => (await desktop.call('samples.inVault', { find: eicar.md5, offset: 0, limit: 1 })).total, {
          timeout: 30_000,
        })
        .toBe(1);
      expect((await desktop.call('scans.plan', { workspaceId })).local.engine).toBe(
        nativeEnginePath() === null ? 'wasm' : 'native',
      );
      const { id: jobId } = await desktop.call('scans.start', {
        workspaceId,
        engines: 'both',
        files: [],
        samples: [eicar.sha256],
        tlp: null,
      });
      await expect
        .poll(() => desktop.call('scans.summary', { jobId }), { timeout: 30_000 })
        .toMatchObject({ files: 1, scanned: 1, withHits: 1, trouble: 0, differs: 0 });
      expect(await desktop.quit()).toBe(0);
      expect(desktop.reported).not.toContainEqual(expect.stringMatching(errorBox));
    });

    test('reports why it cannot start, and exits with 1', async () => {
      writeFileSync(join(tree, 'a-file'), '');
      const desktop = new StandInDesktop(main(), join(tree, 'a-file', 'data'));
      expect(await desktop.exited).toBe(1);
      expect(desktop.reported).toEqual([expect.stringMatching(errorBox)]);
    });
  });
});

test('the archive check reports unexpected contents of an archive', async () => {
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

/** Of what `npm test` has built before, or of what is built now. */
async function layBuilt(place: string): Promise<void> {
  const { VITRINE_BUILT_HOST: host, VITRINE_BUILT_PAGE: page } = process.env;
  if (host !== undefined && page !== undefined) copyTree(place, { host, page });
  else await buildTree(place);
}

const fail = (name: string): never => {
  throw new Error(`${name} is asked for`);
};

/**
 * The workers that a module starts, below the host's folder: by the place that the build gave it, and the entry it
 * names.
 */
function startedBy(code: string): string[] {
  return [...code.matchAll(/entry: "(\.\/[a-z-]+-worker)",\s*beside: new URL\("([^"]+)"/g)].map(
    ([, entry = '', beside = '']) => `${posix.join(beside.replace(/^(\.\.?\/)+/, ''), '..', entry)}.js`,
  );
}
