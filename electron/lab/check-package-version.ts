import type { Action } from './action.ts';
import { LabError } from './errors.ts';
import type { MetadataStore, StoredPublication } from './metadata-store.ts';
import { readFlag } from './read-flag.ts';
import { sendJson } from './send-json.ts';

/**
 * `version` and `beta` → `{"outdated", "last_version", "id", "group"}`; with `beta` publications of the group Test
 * count too.
 */
export function checkPackageVersion(metadata: MetadataStore): Action {
  return {
    method: 'GET',
    right: 'read',
    answer: async ({ parameters, response }) => {
      const version = parameters.get('version');
      if (!version) throw new LabError('missing-parameter', 'The parameter "version" is missing.');
      const withTest = readFlag(parameters.get('beta') ?? 'false', 'beta');
      sendJson(response, 200, answerTo(version, withTest, await metadata.publications()));
    },
  };
}

/** `publications` are the newest first. A version that nobody knows is an old one. */
function answerTo(version: string, withTest: boolean, publications: readonly StoredPublication[]) {
  const place = publications.findIndex(({ group }) => withTest || group === 'Release');
  const last = publications[place];
  if (last === undefined) return { outdated: false, last_version: null, id: null, group: null };
  const held = publications.findIndex((publication) => publication.version === version);
  return { outdated: held === -1 || held > place, last_version: last.version, id: last.id, group: last.group };
}
