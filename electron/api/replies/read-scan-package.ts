import type { Json } from '../../../shared/domain/sample.ts';
import { firstMember, isObject, membersOf } from './named-members.ts';
import { readCount, readText } from './values.ts';

const versionNames = ['version', 'publicationversion', 'packageversion'];
const ruleCountNames = ['rules', 'rulecount', 'rulescount', 'numrules'];

/**
 * The package a scan was made with, as the service tells of it: an object, or its id alone. undefined when that is not
 * understood.
 */
export function readScanPackage(value: Json): { version: string | null; rules: number | null } | undefined {
  const members = membersOf(value);
  if (
    Array.isArray(value) ||
    (isObject(value) && Object.values(value).some((part) => typeof part === 'object' && part !== null))
  )
    return undefined;
  return {
    version: readText(firstMember(members, versionNames)) ?? null,
    rules: readCount(firstMember(members, ruleCountNames)) ?? null,
  };
}
