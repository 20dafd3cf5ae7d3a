import { compareVersions } from '../../../shared/domain/package-manifest.ts';
import {
  type LastCheck,
  type MappedField,
  mappedFields,
  type ReplyMapping,
} from '../../../shared/domain/publication.ts';
import type { Json } from '../../../shared/domain/sample.ts';
import { readVersionReply } from '../../api/replies/read-version-reply.ts';
import type { PackageRow } from '../../storage/package-store.ts';

/** What a reply to `checkpackageversion` means for a desk. */
export type UpdateAnswer =
  | { kind: 'fetch'; id: string; version: string | null }
  | { kind: 'up-to-date'; version: string | null }
  | { kind: 'unsure'; version: string | null; missing: MappedField[] };

/**
 * With nothing installed, any id can be installed, whatever the service says of its age. Else it is fetched when it is
 * said to be newer; when the service does not say, when its version is another one; and when it is the version that is
 * installed under another id, because its bytes may be others.
 */
export function answerIn(reply: Json, mapping: ReplyMapping | null, active: PackageRow | null): UpdateAnswer {
  const read = readVersionReply(reply, mapping);
  const { outdated, version, id } = read;
  if (active === null) return id === null ? unfound(read) : { kind: 'fetch', id, version };
  const isOther = active.source === 'service' && id !== null && active.remoteId !== null && id !== active.remoteId;
  const isSameVersion = version !== null && compareVersions(version, active.version) === 0;
  if (outdated === false || (outdated === null && isSameVersion))
    return isSameVersion && isOther ? { kind: 'fetch', id, version } : { kind: 'up-to-date', version };
  if (id === null || (outdated === null && version === null)) return unsure(read);
  return { kind: 'fetch', id, version };
}

type Read = ReturnType<typeof readVersionReply>;

/** Nothing to install: none is published, or it cannot be told. */
const unfound = (read: Read): UpdateAnswer =>
  read.outdated === false ? { kind: 'up-to-date', version: read.version } : unsure(read);
const unsure = (read: Read): UpdateAnswer => ({
  kind: 'unsure',
  version: read.version,
  missing: mappedFields.filter((field) => read[field] === null),
});

const longestReply = 20_000;
export const shownReply = (reply: Json): LastCheck['reply'] => JSON.stringify(reply, null, 2).slice(0, longestReply);
