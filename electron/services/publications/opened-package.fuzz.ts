import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { FailureError } from '../../../shared/failure.ts';
import { manifestName } from '../../../shared/domain/package-manifest.ts';
import { jsonOfNames } from '../../../shared/testing/changed-json.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../../shared/testing/input-forms.ts';
import { refusedName } from '../../archive/archive-names.ts';
import { accessTo, rawZip } from '../../archive/raw-zip.fixture.ts';
import { hostileNames, madeZips, soundZips } from '../../archive/zip-inputs.fixture.ts';
import { openPackage } from './opened-package.ts';
import { ruleBytesAtMost } from './package-limits.ts';

const rule = Buffer.from('rule a { condition: true }\n');
const manifest = jsonOfNames(['version', 'group', 'published', 'files', 'path', 'sha256', 'pad'], ['1.4', 'Release', '\u202e1', '2026-11-23T04:30:34Z', 'a.yar']);
const ruleNames = fc.oneof(fc.constantFrom(...hostileNames).map((name) => (typeof name === 'string' ? `${name}.yar` : name)), fc.constantFrom('a.yar', 'b/a.yara', 'A.YAR', 'x.txt'));
const packages = fc
  .tuple(fc.array(ruleNames, { maxLength: 4 }), manifest, fc.boolean())
  .map(([names, said, isFirst]) => [...names.map((name) => ({ name, plain: rule })), { name: manifestName, plain: Buffer.from(JSON.stringify(said)) }].toSorted(() => (isFirst ? 1 : -1)))
  .map((entries) => rawZip(entries));
const kinds = ['package-unreadable', 'package-too-large', 'archive-password', 'archive-damaged', 'archive-truncated', 'archive-limit', 'archive-unsupported', 'archive-duplicate', 'archive-name-refused'];

export const target = fuzzTarget({
  name: 'package',
  reads: 'a publication: a ZIP of rules with its manifest, or one file of them',
  holds: 'files under names that leave no folder, of no more bytes than the limit; a manifest of words that are seen; or one of nine failures that keep the package as it came',
  form: bytesForm,
  seeds: [rule, rawZip([{ name: 'a.yar', plain: rule }, { name: manifestName, plain: Buffer.from('{"version":"1.4","group":"Release","published":null,"files":[]}') }]), ...soundZips],
  made: fc.oneof(packages, madeZips, fc.uint8Array({ maxLength: 200 })),
  async attack(bytes) {
    const opened = await openedOf(bytes);
    if (opened === null) return;
    mustHold(opened.files.length > 0, 'it holds no file');
    mustHold(opened.files.reduce((sum, file) => sum + file.bytes.length, 0) <= ruleBytesAtMost, 'there are more bytes than the limit');
    for (const { path } of opened.files) mustHold(refusedName(path) === null, `it gives ${JSON.stringify(path)}`);
    mustHold(!/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(`${opened.manifest?.version ?? ''}${opened.manifest?.group ?? ''}`), 'the manifest hides something');
  },
});

async function openedOf(bytes: Uint8Array): Promise<Awaited<ReturnType<typeof openPackage>> | null> {
  try {
    return await openPackage(accessTo(bytes), { sha256: 'a'.repeat(64), passwords: ['infected'] });
  } catch (error) {
    if (error instanceof FailureError && kinds.includes(error.failure.kind)) return null;
    throw error;
  }
}
