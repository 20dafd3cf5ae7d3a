import type { z } from 'zod';
import { currentInstant } from '../../shared/domain/clock.ts';
import { type LabPublication, labPublication } from '../../shared/domain/lab.ts';
import type { BrokenRule } from '../../shared/domain/publication.ts';
import { sentenceFor } from '../../shared/failure-sentences.ts';
import { fail, FailureError } from '../../shared/failure.ts';
import { Mutex } from '../../shared/mutex.ts';
import type { RuleFile } from '../rules/package-files.ts';
import { RuleCollection, withoutBroken } from '../rules/rule-collection.ts';
import { openRuleLibrary } from '../rules/rule-library.ts';
import { type Action, type ActionCall, atMost, sendJson, whileConnected } from './action.ts';
import { LabError } from './errors.ts';
import { FormFields, readText } from './form-fields.ts';
import { type FormPart, multipartBoundary, readParts } from './multipart.ts';
import { gathered, type NewPackage, refusedPath, storePackage } from './package-archive.ts';
import type { Stores } from './stores/blob-store.ts';

/** Each holds its files in memory while it waits for its turn. */
const packagesAtOnce = 4;
/** No one repairs more at once, and an answer has a size that clients read. */
const brokenAtMost = 5_000;

/**
 * A form with `version`, `group` and files, each named by its path in the package → 201 `{"published": {…}, "broken":
 * []}`; with broken rules nothing is published: 200 `{"published": null, "broken": […]}`, the first 5,000 of them.
 */
export function publish(stores: Stores): Action {
  const publisher = new Publisher(stores);
  const answer = atMost(packagesAtOnce, `The lab takes ${packagesAtOnce} packages at a time.`, (call: ActionCall) =>
    answerOne(publisher, call),
  );
  return { method: 'POST', right: 'publish', answer };
}

async function answerOne(publisher: Publisher, call: ActionCall): Promise<void> {
  const draft = await readPublishForm(call);
  await call.recheck();
  const outcome = await publisher.publish(draft, whileConnected(call)).catch(refuseOverLimits);
  switch (outcome.kind) {
    case 'published':
      await call.recordChange([outcome.publication.version]);
      return sendJson(call.response, 201, { published: outcome.publication, broken: [] });
    case 'broken':
      return sendJson(call.response, 200, { published: null, broken: outcome.broken.slice(0, brokenAtMost) });
    case 'version-taken':
      throw new LabError('version-taken', `Version ${draft.version} is already published.`);
  }
}

/** Files that are over the limits of the rules layer. */
function refuseOverLimits(error: unknown): never {
  const kind = error instanceof FailureError ? error.failure.kind : null;
  if (error instanceof FailureError && (kind === 'archive-limit' || kind === 'package-too-large'))
    throw new LabError('bad-parameter', `${sentenceFor(error.failure).what}.`);
  throw error;
}

const mebibyte = 1024 ** 2;
/** What a package that is published may have; `bytes` of all files together, which are held in memory. */
const packageLimits = { files: 1_000, bytes: 16 * mebibyte } as const;
/** Besides the files: their heads and boundaries, and the fields. */
const besidesBytes = 8 * mebibyte;
const mostFields = 50;
const fieldBytes = 4 * 1024;

/** @throws LabError for what is over a limit, cannot be read, or is no package */
async function readPublishForm({ request, body }: Pick<ActionCall, 'request' | 'body'>): Promise<PackageDraft> {
  const boundary = multipartBoundary(request);
  const form = new PublishForm();
  for await (const part of readParts(body(packageLimits.bytes + besidesBytes), boundary)) await form.take(part);
  const draft = form.draft();
  return { ...draft, files: await readable(draft.files) };
}

/** As Vitrine reads them: UTF-16 with a mark, and only carriage returns at the ends of lines. */
async function readable(files: readonly RuleFile[]): Promise<readonly RuleFile[]> {
  const collection = new RuleCollection();
  for (const { path, bytes } of files) await collection.add(path, bytes);
  const {
    files: read,
    unread: [first],
  } = collection.collected();
  if (first !== undefined) throw new LabError('bad-parameter', `${JSON.stringify(first.file)}: ${first.text}.`);
  return read;
}

class PublishForm {
  readonly #fields = new FormFields();
  readonly #files = new Map<string, RuleFile>();
  #fieldCount = 0;
  #leftBytes: number = packageLimits.bytes;

  async take({ name, fileName, bytes }: FormPart): Promise<void> {
    if (fileName !== null) return this.#takeFile(fileName, bytes());
    this.#fieldCount += 1;
    if (this.#fieldCount > mostFields)
      throw new LabError('bad-parameter', `A package comes with at most ${mostFields} fields.`);
    this.#fields.add(name, await readText(name, bytes(), fieldBytes));
  }

  draft(): PackageDraft {
    if (this.#files.size === 0) throw new LabError('missing-parameter', 'This form has no file.');
    const { version, group } = labPublication.shape;
    return {
      version: readField(this.#fields, 'version', version),
      group: readField(this.#fields, 'group', group),
      files: [...this.#files.values()],
    };
  }

  async #takeFile(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
    const bytes = await gathered(chunks, this.#leftBytes);
    if (bytes === null)
      throw new LabError(
        'body-too-large',
        `The files of a package have at most ${packageLimits.bytes} bytes together.`,
      );
    this.#leftBytes -= bytes.length;
    // A page's file field in which no file was chosen.
    if (path === '' && bytes.length === 0) return;
    const refusal = refusedPath(path);
    if (refusal !== null) throw new LabError('bad-parameter', refusal);
    if (this.#files.has(path)) throw new LabError('bad-parameter', `${JSON.stringify(path)} is there twice.`);
    if (this.#files.size === packageLimits.files)
      throw new LabError('bad-parameter', `A package has at most ${packageLimits.files} files.`);
    this.#files.set(path, { path, bytes });
  }
}

function readField<T>(fields: FormFields, name: string, schema: z.ZodType<T>): T {
  const text = fields.one(name);
  if (text === null) throw new LabError('missing-parameter', `The field "${name}" is missing.`);
  const read = schema.safeParse(text);
  if (!read.success)
    throw new LabError(
      'bad-parameter',
      `The field "${name}" is not what it should be: ${read.error.issues[0]?.message ?? ''}.`,
    );
  return read.data;
}

interface PackageDraft extends Pick<NewPackage, 'version' | 'group' | 'files'> {
  /** Rules that do not compile are replaced by blanks in the package. */
  leavesOutBroken?: boolean;
}

type PublishOutcome =
  /** `leftOut`: what was broken, and is not in it. */
  | { kind: 'published'; publication: LabPublication; leftOut: readonly BrokenRule[] }
  | { kind: 'broken'; broken: readonly BrokenRule[] }
  | { kind: 'version-taken' };

/**
 * Compiles packages in threads, one at a time, and publishes what is whole. With one broken rule nothing is published,
 * unless it is to be left out.
 */
export class Publisher {
  readonly #stores: Stores;
  readonly #mutex = new Mutex();

  constructor(stores: Stores) {
    this.#stores = stores;
  }

  /** @throws FailureError `cancelled`, and what the rules layer throws for files over its limits */
  publish(draft: PackageDraft, signal: AbortSignal): Promise<PublishOutcome> {
    return this.#mutex.run(() => this.#publish(draft, signal));
  }

  async #publish(draft: PackageDraft, signal: AbortSignal): Promise<PublishOutcome> {
    if (signal.aborted) fail({ kind: 'cancelled' });
    const published = await this.#stores.metadata.publications();
    if (published.some(({ version }) => version === draft.version)) return { kind: 'version-taken' };
    const { version, group, leavesOutBroken = false } = draft;
    const { rules, files, broken, leftOut } = await compiled(draft, { signal, leavesOutBroken });
    if (broken.length > 0 || (rules === 0 && leftOut.length > 0))
      return { kind: 'broken', broken: [...leftOut, ...broken] };
    const publication = await storePackage(this.#stores, { version, group, files, rules, published: currentInstant() });
    return publication === null ? { kind: 'version-taken' } : { kind: 'published', publication, leftOut };
  }
}

/** What was left out may have been used by others; and of very many only the first are named. */
const roundsAtMost = 20;

interface Compiled {
  rules: number;
  files: readonly RuleFile[];
  /** What cannot be left out. */
  broken: readonly BrokenRule[];
  leftOut: readonly BrokenRule[];
}

/** In a library of its own: publishing is rare, and the lab should not carry thread, engine and rules from then on. */
async function compiled(
  { version, files: given }: PackageDraft,
  { signal, leavesOutBroken }: { signal: AbortSignal; leavesOutBroken: boolean },
): Promise<Compiled> {
  const library = openRuleLibrary();
  const leftOut: BrokenRule[] = [];
  let files = given;
  try {
    for (let round = 0; ; round += 1) {
      const { rules, broken } = await library.gate(`${version}/${round}`, { signal, onProgress: () => {}, files });
      if (broken.length === 0 || !leavesOutBroken || round === roundsAtMost) return { rules, files, broken, leftOut };
      const left = withoutBroken(files, broken);
      const isOther = left.some(({ bytes }, at) => Buffer.compare(bytes, files[at]?.bytes ?? bytes) !== 0);
      // Text outside of every rule: no engine sees it, and the recipient of the package is informed.
      if (!isOther) return { rules, files, broken: [], leftOut: [...leftOut, ...broken] };
      leftOut.push(
        ...broken.filter(
          (one) =>
            !leftOut.some((other) => other.file === one.file && other.line === one.line && other.rule === one.rule),
        ),
      );
      files = left;
    }
  } finally {
    await library.close();
  }
}
