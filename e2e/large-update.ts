import { packed } from './rule-package.ts';

/** How the rules of a generated package are another version of those of the first one. */
const kinds = ['condition', 'strings', 'meta', 'layout', 'same'] as const;
type Kind = (typeof kinds)[number];

/** Of 600 rules in 60 files: so many are changed in this way, in this order. */
const counts: Readonly<Record<Kind, number>> = { condition: 118, strings: 96, meta: 171, layout: 155, same: 60 };

const nameOf = (number: number): string =>
  `family_${Math.floor(number / 10)}_loader_with_a_decoded_configuration_block_in_its_overlay_${number}`;

function kindOf(number: number): Kind {
  let first = 0;
  for (const kind of kinds) {
    first += counts[kind];
    if (number < first) return kind;
  }
  return 'same';
}

function ruleOf(number: number, kind: Kind): string {
  const indent = kind === 'layout' ? '\t' : '    ';
  const lines = [
    `rule ${nameOf(number)} : generated`,
    '{',
    `${indent}meta:`,
    `${indent}${indent}author = "Vitrine lab"`,
    `${indent}${indent}revision = ${kind === 'meta' ? 2 : 1}`,
    `${indent}strings:`,
    `${indent}${indent}$mark = "generated mark ${number}${kind === 'strings' ? ' again' : ''}"`,
    `${indent}condition:`,
    `${indent}${indent}${kind === 'condition' ? 'filesize < 4MB and ' : ''}$mark`,
    '}',
  ];
  return `${lines.join('\n')}\n\n`;
}

function filesOf(kind: (number: number) => Kind): Record<string, string> {
  const files: Record<string, string> = {};
  for (let number = 0; number < 600; number += 1) {
    // Each file has some of every kind.
    const path = `families/family_${String(number % 60).padStart(2, '0')}.yar`;
    files[path] = (files[path] ?? '') + ruleOf(number, kind(number));
  }
  return files;
}

const many = (count: number, rule: (number: number) => string): string =>
  Array.from({ length: count }, (_, number) => rule(number)).join('\n');

/**
 * Two versions of a large package: 540 rules changed, 61 new, 30 gone, and 130 that do not compile, for four causes.
 */
export async function largeUpdate(): Promise<{ older: Buffer; newer: Buffer }> {
  const gone = many(30, (number) => `rule retired_${number} { condition: filesize == ${number} }`);
  const fresh = many(61, (number) => `rule fresh_${number} { strings: $a = "fresh mark ${number}" condition: $a }`);
  const androids = many(121, (number) => `rule android_${number} { condition: androguard.url("${number}") }`);
  const android = `import "androguard"\n${androids}\nrule uses_android { condition: android_3 }`;
  const escapes = many(
    4,
    (number) =>
      `rule escape_${number}\n{\n    strings:\n        $path = /C:\\Users\\my${number}x/\n    condition:\n` +
      '        $path\n}',
  );
  const odd = many(3, (number) => `rule twice_${number} : a a { condition: true }`);
  return {
    older: await packed({ ...filesOf(() => 'same'), 'archive/retired.yar': gone }, { version: '2026.11.10' }),
    newer: await packed(
      {
        ...filesOf(kindOf),
        'fresh.yar': fresh,
        'mobile/android.yar': android,
        'odd/escapes.yar': escapes,
        'odd/tags.yar': odd,
      },
      { version: '2026.11.24' },
    ),
  };
}
