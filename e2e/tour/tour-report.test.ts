import { expect, test } from 'vitest';
import { type DocumentedStop, tourReport } from './tour-report.ts';

const stop: DocumentedStop = {
  name: 'look-up',
  title: 'A hash in a sentence',
  did: 'Pasted.',
  answers: ['eicar.com'],
  themes: ['light'],
};

test('a tour stop is reported with its number, action, reply and pictures', () => {
  const report = tourReport([
    stop,
    {
      ...stop,
      name: 'library',
      title: 'The library',
      answers: ['26 samples', '3 selected'],
      themes: ['light', 'dark'],
    },
  ]);
  expect(report).toContain(
    '\n## 1. A hash in a sentence\n\nPasted.\n\n- eicar.com\n\n' +
      '![A hash in a sentence, light](pictures/look-up-light.png)\n',
  );
  expect(report).toContain(
    '\n## 2. The library\n\nPasted.\n\n- 26 samples\n- 3 selected\n\n' +
      '![The library, light](pictures/library-light.png)\n\n![The library, dark](pictures/library-dark.png)\n',
  );
  expect(report.endsWith(')\n')).toBe(true);
});

test('a service’s text stays on its line and is not read as Markdown', () => {
  const report = tourReport([{ ...stop, answers: ['a_b*c* <img src=x>\n# [here](https://example.org) `x` |'] }]);
  expect(report).toContain(String.raw`- a\_b\*c\* \<img src=x\> \# \[here\](https://example.org) \`x\` \|` + '\n');
});

test('a text from the program is in a block that it cannot close', () => {
  const report = tourReport([{ ...stop, text: '| a |\n````\n# not a title\n' }]);
  expect(report).toContain('\n`````text\n| a |\n````\n# not a title\n`````\n');
});

test('a tour without stops has only the introduction', () => {
  expect(tourReport([]).split('\n## ')).toHaveLength(1);
});
