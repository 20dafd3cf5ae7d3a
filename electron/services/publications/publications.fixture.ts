import { hash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import type { OperationInput } from '../../../shared/contract.ts';
import type { ExportResult } from '../../../shared/domain/export.ts';
import { manifestName, type PackageManifest } from '../../../shared/domain/package-manifest.ts';
import {
  defaultRuleOptions,
  type PublicationsState,
  type RuleOptions,
  sortByPlace,
} from '../../../shared/domain/publication.ts';
import { NotedFiles } from '../../archive/export/export-file.ts';
import { writePlainZip } from '../../archive/writing/plain-zip.ts';
import { EventHub, type HostEvent } from '../../event-hub.ts';
import { openRuleLibrary } from '../../rules/rule-library.ts';
import { openStores, type Stores } from '../../storage/stores.ts';
import { migratedData } from '../../storage/testing/migrated-data.fixture.ts';
import { openPackages, type Packages } from '../../vault/packages.ts';
import { openStaging, type Staging } from '../../vault/staging.ts';
import { connectTo, listenLocally } from '../testing/test-host.fixture.ts';
import type { Clock } from './checks.ts';
import { LoadedRules } from './loaded-rules.ts';
import { Mutes } from './mutes.ts';
import { PackagePasswords } from './package-passwords.ts';
import { PackageReading } from './package-reading.ts';
import { Publications } from './publications.ts';

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;

/** A rule editor whose answers a test decides. */
export interface RuleEditor {
  baseUrl: string;
  asked: string[];
  onCheck: Answer;
  onDownload: Answer;
  onList: Answer;
  onExport: Answer;
  /** Becomes an editor without publications that keeps these files. */
  keep(files: readonly KeptFile[]): void;
  /** A newer version under an id, behind a redirect. */
  publish(version: string, bytes: Uint8Array, id?: string): void;
  end(): void;
}

/** A file of rules that an editor keeps. */
export interface KeptFile {
  id: number;
  name: string;
  text: string;
  /** As the editor counts them; by its text where it is left out. */
  rules?: number;
  modified?: string;
}

const unknownAction: Answer = (response) => response.writeHead(404).end();

const listOf = (files: readonly KeptFile[]): string =>
  JSON.stringify(
    files.map(
      ({ id, name, text, rules = [...text.matchAll(/\brule /g)].length, modified = '2026-11-30 03:23:33' }) => ({
        id,
        name,
        imports: [],
        rules,
        last_modified: modified,
      }),
    ),
  );

export async function startRuleEditor(): Promise<RuleEditor> {
  const files = new Map<string, Uint8Array>();
  const editor: RuleEditor = {
    baseUrl: '',
    asked: [],
    onCheck: (response) => response.end('{"outdated":false,"last_version":null,"id":null}'),
    onDownload: (response) => response.writeHead(404).end('Publication not found'),
    onList: unknownAction,
    onExport: unknownAction,
    keep: (kept) => {
      editor.onCheck = unknownAction;
      editor.onDownload = unknownAction;
      editor.onList = (response) =>
        kept.length === 0 ? response.writeHead(403).end('unable to get files') : response.end(listOf(kept));
      editor.onExport = (response, { url = '' }) => {
        const id = new URLSearchParams(url.split('?')[1]).get('id');
        if (id === null) return response.writeHead(400).end('missing id parameter');
        const text = kept.find((one) => String(one.id) === id)?.text ?? '';
        return response.writeHead(200, { 'Content-Length': Buffer.byteLength(text) }).end(text);
      };
    },
    publish: (version, bytes, id = version) => {
      files.set(`/files/${version}`, bytes);
      editor.onCheck = (response, { url = '' }) =>
        response.end(
          JSON.stringify({
            outdated: new URLSearchParams(url.split('?')[1]).get('version') !== version,
            last_version: version,
            id,
          }),
        );
      editor.onDownload = (response) => response.writeHead(302, { Location: `/files/${version}` }).end();
    },
    end: () => server.close().closeAllConnections(),
  };
  const server = createServer((request, response) => {
    const url = request.url ?? '';
    editor.asked.push(url);
    const file = files.get(url);
    if (file) response.writeHead(200, { 'Content-Length': file.length }).end(file);
    else if (url.includes('action=checkpackageversion')) editor.onCheck(response, request);
    else if (url.includes('action=downloadpublication')) editor.onDownload(response, request);
    else if (url.includes('action=getfiles')) editor.onList(response, request);
    else if (url.includes('action=exportfile')) editor.onExport(response, request);
    else response.writeHead(404).end();
  });
  editor.baseUrl = await listenLocally(server);
  return editor;
}

export interface TestPublications {
  /** The workspace of the test that runs. */
  readonly team: string;
  /** A workspace that has nothing yet; earlier reports are forgotten. */
  startOver(): void;
  folder: string;
  stores: Stores;
  packages: Packages;
  staging: Staging;
  publications: Publications;
  reading: PackageReading;
  rules: LoadedRules;
  mutes: Mutes;
  events: HostEvent[];
  defects: unknown[];
  /** As the workspace allows; true at first. */
  usesOptionalActions: boolean;
  state(): PublicationsState;
  /** Checks, waits for the end, and gives the state. */
  check(): Promise<PublicationsState>;
  /** Takes a file in as a person does who picked it. */
  bring(name: string, bytes: Uint8Array, version?: string | null): Promise<PublicationsState>;
  set(options: Partial<RuleOptions>): Promise<PublicationsState>;
  /** Resolves when no check is under way. */
  rested(): Promise<PublicationsState>;
  /** What a browser would get of a prepared export. */
  taken(result: ExportResult): Promise<Buffer>;
  /** The workspace of the test is no longer there, as when a person removes it. */
  removeTeam(): Promise<void>;
  /** As at the end of the program. */
  close(): Promise<void>;
  /** Closes it and removes its folder. */
  remove(): Promise<void>;
}

export interface TestPublicationsOptions {
  folder?: string;
  /** The workspace to begin with. */
  team?: string;
  clock?: Clock;
  /** Those that the store can list. */
  tokens?: readonly string[];
}

/** Of the rule editor of every team. It could be the name of a rule. */
export const tokenOfTeam = 'a_token_of_the_team';

/** An expectation that fails every few milliseconds takes the processor from what is waited for. */
const unfinished = new Error('a check goes on');

/**
 * The services over real stores, a real vault and the real engine, whatever the workspace. Closed by the caller that
 * opened it.
 */
export async function createTestPublications(
  editor: RuleEditor,
  { folder, team = 'team-0', clock, tokens = [tokenOfTeam] }: TestPublicationsOptions = {},
): Promise<TestPublications> {
  const base = folder ?? (await newFolder());
  const stores = await openStores(migratedData(join(base, 'data')), null);
  const packages = await openPackages(join(base, 'data', 'packages'));
  const staging = await openStaging(join(base, 'data', 'staging'));
  const library = openRuleLibrary();
  const events = new EventHub();
  const prepared: (() => AsyncIterable<Uint8Array>)[] = [];
  const passwords = new PackagePasswords({
    tokens: stores.tokens,
    exportPassword: () => 'infected',
    keepOutOfLogs: () => {},
    changed: () => {},
  });
  const rules = new LoadedRules({
    library,
    packages,
    store: stores.packages,
    passwords: (id) => passwords.all(id),
    tokens: async () => tokens,
  });
  const mutes = new Mutes({ store: stores.mutes, packages: stores.packages, rules, events });
  const reading = new PackageReading({
    store: stores.packages,
    rules,
    costs: stores.ruleCosts,
    engine: async () => 'wasm',
    scans: stores.scanReader,
    mutedRules: (id, where) => mutes.mutedRules(id, where),
  });
  const defects: unknown[] = [];
  const removed = new Set<string>();
  const publications = new Publications({
    library,
    packages,
    staging,
    passwords,
    events,
    rules,
    reading,
    store: stores.packages,
    connect: async (workspaceId, service) => ({
      ...(await connectTo(editor.baseUrl, { token: tokenOfTeam })(workspaceId, service)),
      noteAction: (action, answers) =>
        void stores.serverActions.note({ workspaceId, service, baseUrl: editor.baseUrl }, action, answers),
    }),
    actions: (workspaceId) => ({
      mayUse: setup.usesOptionalActions,
      actions: stores.serverActions.of({ workspaceId, service: 'rule-editor', baseUrl: editor.baseUrl }),
    }),
    hasRuleEditor: (id) => (/^team-\d+$/.test(id) && !removed.has(id) ? true : null),
    files: new NotedFiles(stores.fileNotes),
    offer: ({ fileName, open }) => ({ kind: 'browser', id: String(prepared.push(open) - 1), fileName }),
    logDefect: (error) => {
      defects.push(error);
      return { kind: 'unexpected', id: 'a-test' };
    },
    ...(clock ? { clock } : {}),
  });
  let isOpen = true;
  let number = Number(team.slice('team-'.length));
  const setup: TestPublications = {
    get team() {
      return `team-${number}`;
    },
    startOver: () => {
      number += 1;
      for (const list of [setup.events, defects, editor.asked]) list.length = 0;
    },
    folder: base,
    stores,
    packages,
    staging,
    publications,
    reading,
    rules,
    mutes,
    events: [],
    defects,
    usesOptionalActions: true,
    state: () => publications.state(setup.team),
    rested: () =>
      vi.waitFor(
        () => {
          const state = setup.state();
          if (state.check !== null) throw unfinished;
          return state;
        },
        { timeout: 20_000, interval: 10 },
      ),
    check: () => {
      publications.check(setup.team);
      return setup.rested();
    },
    bring: async (name, bytes, version = null) => {
      const { id } = await staging.stageStream(
        name,
        (async function* () {
          yield bytes;
        })(),
      );
      publications.addFile(setup.team, id, version);
      return setup.rested();
    },
    set: (options) => publications.setOptions(setup.team, { ...defaultRuleOptions, ...options }, { kind: 'keep' }),
    taken: async (result) =>
      result.kind === 'browser'
        ? buffer(prepared[Number(result.id)]?.() ?? expect.fail('nothing was prepared'))
        : expect.fail('not for a browser'),
    removeTeam: () => {
      removed.add(setup.team);
      return publications.workspaceRemoved(setup.team);
    },
    close: async () => {
      if (!isOpen) return;
      isOpen = false;
      await publications.close();
      await library.close();
      await staging.close();
      await packages.close();
      await stores.jobReader.close();
      stores.close();
    },
    remove: async () => {
      await setup.close();
      await rm(base, { recursive: true, force: true });
    },
  };
  events.subscribe((event) => setup.events.push(event));
  await publications.start();
  return setup;
}

const newFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'vitrine-publications-'));

/** A package as servers make them, with a manifest where a version is given. */
export async function zipOf(
  files: Readonly<Record<string, string>>,
  version: string | null = null,
  listed: PackageManifest['files'] = listedOf(files),
): Promise<Buffer> {
  const manifest =
    version === null
      ? {}
      : {
          [manifestName]: JSON.stringify({
            version,
            group: 'Release',
            published: '2026-11-17T08:00:00Z',
            files: listed,
          }),
        };
  const members = Object.entries({ ...files, ...manifest }).map(([name, text]) => {
    const bytes = Buffer.from(text);
    return { name, sizeBytes: bytes.length, open: () => [bytes] };
  });
  return buffer(writePlainZip(members));
}

const listedOf = (files: Readonly<Record<string, string>>): PackageManifest['files'] =>
  Object.entries(files).map(([path, text]) => ({
    path,
    sha256: hash('sha256', text),
    sizeBytes: Buffer.byteLength(text),
  }));

/** A rule that compiles. */
export const rule = (name: string, condition = '$a', word = name): string =>
  `rule ${name} { strings: $a = "${word}" condition: ${condition} }\n`;

/** A search over the rules in use, as a page requests it in its initial state. */
export const listing = (
  workspaceId: string,
  find: string,
  window = { offset: 0, limit: 100 },
): OperationInput<'publications.rules'> => ({ workspaceId, find, sort: sortByPlace, columns: [], ...window });
