import type { BundledRules } from '../../../shared/domain/bundle.ts';
import type { SampleSource } from '../../vault/sample-source.ts';
import { BundleThread } from './bundle-thread.ts';
import type { FromWriter, ToWriter, WritingOrder } from './bundle-writing-messages.ts';
import type { HashList } from './hash-list.ts';

export interface BundleContent {
  hashes: HashList;
  /** Where the bytes of some of them are, if they go along. */
  sourcesOf(sha256s: readonly string[]): SampleSource[];
  rules: { facts: BundledRules; bytes(): AsyncIterable<Uint8Array> } | null;
}

export type WritingNews = Exclude<FromWriter, { kind: 'next' | 'next-to-count' }>;

/**
 * Writes a bundle in a thread of its own, and tells what comes of it: `finished` last. A piece that is `sealed` is gone
 * when the next is asked for. Left early, it stops; what it wrote into a file is the caller's to remove.
 * @throws FailureError `worker-ended`, what the rules throw; the signal's reason
 */
export async function* writeBundle(
  order: WritingOrder,
  content: BundleContent,
  signal: AbortSignal,
): AsyncGenerator<WritingNews, void, void> {
  const thread = new BundleThread<ToWriter, FromWriter>({
    entry: './bundle-writing-worker',
    workerData: order,
    task: 'writing a bundle',
    signal,
  });
  const [answers, counted] = [answersOf(content), content.hashes.pages(countedAPage)];
  try {
    for (;;) {
      const message = await thread.next();
      if (message.kind === 'next') thread.post((await answers.next()).value ?? { kind: 'end' });
      else if (message.kind === 'next-to-count') thread.post(hashesOf(counted.next().value));
      else yield message;
      if (message.kind === 'finished' || message.kind === 'disk-failed') return;
      if (message.kind === 'sealed') thread.post({ kind: 'go-on' });
    }
  } finally {
    await thread.end();
  }
}

const samplesAPage = 200;
const countedAPage = 5000;
const sha256Digits = 64;

const hashesOf = (hashes: string[] | void): ToWriter => (hashes ? { kind: 'hashes', hashes } : { kind: 'end' });

async function* answersOf({ hashes, sourcesOf, rules }: BundleContent): AsyncGenerator<ToWriter, undefined, void> {
  for (const page of hashes.pages(samplesAPage)) {
    const sources = page[0]?.length === sha256Digits ? sourcesOf(page) : [];
    yield { kind: 'samples', samples: page.map((hash, index) => ({ hash, source: sources[index] ?? null })) };
  }
  if (rules === null) return;
  yield { kind: 'rules', rules: rules.facts };
  for await (const bytes of rules.bytes()) yield { kind: 'piece', bytes };
  yield { kind: 'end-rules' };
}
