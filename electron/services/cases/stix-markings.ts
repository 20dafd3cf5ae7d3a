import type { TlpLevel } from '../../../shared/domain/tag.ts';
import { tlpName } from './case-words.ts';

/** The marking definitions of TLP 2.0, as OASIS published them: who knows them knows them by these ids. */
const markingIds: Readonly<Record<TlpLevel, string>> = {
  clear: 'marking-definition--94868c89-83c2-464b-929b-a1a8aa3c8487',
  green: 'marking-definition--bab4a63c-aed9-4cf5-a766-dfca5abac2bb',
  amber: 'marking-definition--55d920b0-5e8b-4f79-9ee9-91f868d9b421',
  'amber+strict': 'marking-definition--939a9414-2ddd-4d32-a0cd-375ea402b003',
  red: 'marking-definition--e828b379-4e03-4974-9ac4-e53a884c97c1',
};
const tlpExtension = 'extension-definition--60a3c5c5-0d10-413e-aab3-9e08dde9e88d';

export const stixMarking = (level: TlpLevel): object => ({
  type: 'marking-definition',
  spec_version: '2.1',
  id: markingIds[level],
  created: '2022-10-01T00:00:00.000Z',
  name: tlpName(level),
  extensions: { [tlpExtension]: { extension_type: 'property-extension', tlp_2_0: level } },
});

/** How an object says that it is marked so. */
export const markedAs = (level: TlpLevel | null): { object_marking_refs?: string[] } =>
  level === null ? {} : { object_marking_refs: [markingIds[level]] };
