import type { FuzzTarget } from '../../shared/testing/fuzz-target.ts';

type Loaded = () => Promise<{ target: FuzzTarget }>;

/** Every reader of what comes from outside, in the order of the table. Each process loads the one it attacks. */
const targets: ReadonlyMap<string, Loaded> = new Map<string, Loaded>([
  ['sample-reply', () => import('../api/replies/sample-reply.fuzz.ts')],
  ['scan-reply', () => import('../api/replies/scan-reply.fuzz.ts')],
  ['upload-reply', () => import('../api/uploads.fuzz.ts')],
  ['comment-reply', () => import('../api/comments.fuzz.ts')],
  ['version-reply', () => import('../api/replies/version-reply.fuzz.ts')],
  ['server-lists', () => import('../api/replies/server-lists.fuzz.ts')],
  ['refusal', () => import('../api/client/failures.fuzz.ts')],
  ['redaction', () => import('../api/redaction.fuzz.ts')],
  ['address', () => import('../api/client/address.fuzz.ts')],
  ['redirect', () => import('../api/client/requests-redirects.fuzz.ts')],
  ['private-address', () => import('../api/client/address-private.fuzz.ts')],
  ['zip-stream', () => import('../archive/reading/zip-stream.fuzz.ts')],
  ['zip-random', () => import('../archive/reading/zip-random.fuzz.ts')],
  ['names', () => import('../archive/archive-names.fuzz.ts')],
  ['package', () => import('../services/publications/opened-package.fuzz.ts')],
  ['bundle', () => import('../archive/bundle/bundle-opening.fuzz.ts')],
  ['bundle-file', () => import('../archive/bundle/bundle-opening-file.fuzz.ts')],
  ['container', () => import('../vault/container/container-bytes.fuzz.ts')],
  ['pack', () => import('../vault/packs/open-packs-scan.fuzz.ts')],
  ['sample-look', () => import('../vault/inspection/file-type.fuzz.ts')],
  ['backup-list', () => import('../storage/backup/backup-list.fuzz.ts')],
  ['lab-form', () => import('../lab/multipart.fuzz.ts')],
  ['lab-head', () => import('../lab/content-disposition.fuzz.ts')],
  ['socket-frames', () => import('../transports/local-socket-frames.fuzz.ts')],
  ['operations', () => import('../dispatcher.fuzz.ts')],
  ['markdown', () => import('../../renderer/features/sample/markdown-tree.fuzz.ts')],
  ['shown-text', () => import('../../shared/domain/visible-text.fuzz.ts')],
  ['rules', () => import('../rules/parse-package.fuzz.ts')],
  ['yara-tokens', () => import('../../shared/domain/yara-tokens.fuzz.ts')],
  ['query', () => import('../../shared/domain/library-query.fuzz.ts')],
  ['hash-extraction', () => import('../../shared/domain/hash-extraction.fuzz.ts')],
]);

export const targetNames: readonly string[] = [...targets.keys()];

export async function loadTarget(name: string): Promise<FuzzTarget> {
  const load = targets.get(name);
  if (!load) throw new RangeError(`There is no target "${name}".`);
  const { target } = await load();
  if (target.name !== name) throw new TypeError(`the target "${name}" calls itself "${target.name}"`);
  return target;
}
