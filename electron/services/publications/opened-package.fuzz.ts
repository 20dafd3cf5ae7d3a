import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { manifestName } from '../../../shared/domain/package-manifest.ts';
import { FailureError } from '../../../shared/failure.ts';
import { changedJson, jsonOfNames } from '../../../shared/testing/changed-json.ts';
import { textOfWords } from '../../../shared/testing/changed-text.ts';
import { fuzzTarget, mustHold } from '../../../shared/testing/fuzz-target.ts';
import { bytesForm } from '../../../shared/testing/input-forms.ts';
import { nameTraitOf } from '../../archive/archive-names.ts';
import { accessTo, rawZip } from '../../archive/raw-zip.fixture.ts';
import { hostileNames, madeZips, soundZips } from '../../archive/zip-inputs.fixture.ts';
import { openPackage, ruleBytesAtMost } from './opened-package.ts';
import { factsOf, type PackageOrigin } from './package-opening.ts';

const rule = Buffer.from('rule a { condition: true }\n');
const names = ['version', 'group', 'published', 'files', 'path', 'sha256', 'sizeBytes', 'pad'];
const values = ['1.4', 'Release', '\u202e1', '2026-11-23T04:30:34Z', 'a.yar', 'x'.repeat(300)];
const sound = {
  version: '1.4',
  group: 'Release',
  published: '2026-11-23T04:30:34Z',
  files: [{ path: 'a.yar', sha256: 'a'.repeat(64), sizeBytes: 27 }],
};
const said = textOfWords(['1', '.4', 'Release', ' ', '\u202e', '\u2028', '\u200b', '\u{1f600}', 'x'.repeat(199)], 4);
const reported = fc.record({
  version: said,
  group: fc.option(said),
  published: fc.option(said),
  files: fc.constantFrom(sound.files, []),
});
const manifest = fc
  .oneof(reported, jsonOfNames(names, values), changedJson([sound], names, values))
  .map((json) => JSON.stringify(json));
/** Also one that is no JSON, and one that means work. */
const manifestText = fc.oneof(
  { weight: 6, arbitrary: manifest },
  { weight: 1, arbitrary: manifest.map((text) => text.slice(1)) },
  { weight: 1, arbitrary: fc.constantFrom('', '['.repeat(59_999), '[0,'.repeat(40_000), '\ufeff{}') },
);
const ruleNames = fc.oneof(
  fc.constantFrom(...hostileNames).map((name) => (typeof name === 'string' ? `${name}.yar` : name)),
  fc.constantFrom('a.yar', 'b/a.yara', 'A.YAR', 'x.txt'),
);
const packages = fc
  .tuple(fc.array(ruleNames, { maxLength: 4 }), manifestText, fc.boolean())
  .map(([paths, text, isFirst]) =>
    [...paths.map((name) => ({ name, plain: rule })), { name: manifestName, plain: Buffer.from(text) }].toSorted(() =>
      isFirst ? 1 : -1,
    ),
  )
  .map((entries) => rawZip(entries));
/** As a person gives it: all that is reported about it is in it. */
const origin: PackageOrigin = { source: 'file', remoteId: null, version: null, fileName: null, manifest: null };
const kinds = [
  'package-unreadable',
  'package-too-large',
  'archive-password',
  'archive-damaged',
  'archive-truncated',
  'archive-limit',
  'archive-unsupported',
  'archive-duplicate',
  'archive-name-refused',
];

export const target = fuzzTarget({
  name: 'package',
  reads: 'a publication: a ZIP of rules with a manifest, or one rule file',
  holds:
    'files that stay in their folder, within the size limit; a printable version, group and date; or one of ' +
    'nine failures that keep the package as received',
  form: bytesForm,
  seeds: [
    rule,
    rawZip([
      { name: 'a.yar', plain: rule },
      { name: manifestName, plain: Buffer.from('{"version":"1.4","group":"Release","published":null,"files":[]}') },
    ]),
    ...soundZips,
  ],
  made: fc.oneof(packages, madeZips, fc.uint8Array({ maxLength: 200 })),
  async attack(bytes) {
    const opened = await openedOf(bytes);
    if (opened === null) return;
    mustHold(opened.files.length + opened.refused.length > 0, 'it holds no file');
    mustHold(
      opened.files.reduce((sum, file) => sum + file.bytes.length, 0) <= ruleBytesAtMost,
      'there are more bytes than the limit',
    );
    for (const { path } of opened.files) mustHold(nameTraitOf(path) === null, `it gives ${JSON.stringify(path)}`);
    const { version, group, published } = await factsOf('a'.repeat(64), opened, origin, null);
    mustHold(version !== '', 'it is called nothing');
    for (const word of [version, group ?? '', published ?? ''])
      mustHold(
        word.length <= 200 && !/[\p{C}\p{Zl}\p{Zp}]/u.test(word),
        `what it is called hides ${JSON.stringify(word)}`,
      );
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
