import '../../test/page-surroundings.ts';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defaultSettings, type Settings, settings, settingSchemas } from '../../../shared/domain/settings.ts';
import { fail } from '../../../shared/failure.ts';
import { longAfter } from '../../../shared/testing/long-after.ts';
import { open } from '../../test/open-page.fixture.tsx';
import { usedSettings } from '../../test/quiet-host.ts';

/** The field of each number that can be set, and its place. */
const fields = {
  bulkUrlBytes: ['Downloads', 'Maximum URL length, in bytes'],
  bulkConnections: ['Downloads', 'Parallel requests'],
  uploadFiles: ['Uploads', 'Files per request'],
  uploadMebibytes: ['Uploads', 'Request size, in MiB'],
  scanSeconds: ['Scans', 'Time limit per file, in seconds'],
  scanMebibytes: ['Scans', 'Maximum file size, in MiB'],
  scanMemoryMebibytes: ['Scans', 'Memory limit per engine process, in MiB'],
} as const;
type NumberName = keyof typeof fields;
const names: readonly NumberName[] = [
  'bulkUrlBytes',
  'bulkConnections',
  'uploadFiles',
  'uploadMebibytes',
  'scanSeconds',
  'scanMebibytes',
  'scanMemoryMebibytes',
];

const rangeOf = (name: NumberName): [number, number] => [
  settingSchemas[name].minValue ?? Number.NaN,
  settingSchemas[name].maxValue ?? Number.NaN,
];

test('every number among the settings has its field here', () => {
  const numbers = Object.entries(defaultSettings)
    .filter(([, value]) => typeof value === 'number')
    .map(([name]) => name);
  expect(numbers.toSorted()).toEqual([...names].toSorted());
});

for (const { tags, cases } of longAfter(2, names))
  test.each(cases)('%s: a value out of range is reported at the field, and not saved', { tags }, async (name) => {
    const [least, most] = rangeOf(name);
    const [section, label] = fields[name];
    const { user, bridge } = await open();
    await user.click(screen.getByRole('button', { name: 'Settings' }));
    await user.click(screen.getByRole('button', { name: section }));
    const field = await screen.findByRole('textbox', { name: label });
    const sentence = `A whole number from ${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;
    const wrong = fc.oneof(
      fc.integer({ min: most + 1, max: 999_999_999 }).map(String),
      fc.integer({ max: least - 1 }).map(String),
      fc.constantFrom('', ' ', '1.5', '1e3', '0x10', 'NaN', '٣', '9'.repeat(40)),
      fc.double({ noInteger: true }).map(String),
    );
    fc.assert(
      fc.property(wrong, (typed) => {
        fireEvent.change(field, { target: { value: typed } });
        fireEvent.blur(field);
        expect(screen.getByText(sentence)).toBeDefined();
        expect(field.getAttribute('aria-invalid')).toBe('true');
      }),
      { numRuns: 30 },
    );
    for (const sound of [least, most].filter((value) => value !== defaultSettings[name])) {
      fireEvent.change(field, { target: { value: String(sound) } });
      expect(screen.queryByText(sentence)).toBeNull();
      fireEvent.blur(field);
    }
    // What was put in before would have been saved before.
    await waitFor(() =>
      expect(bridge.inputsOf('settings.change')).toEqual(
        [least, most].filter((value) => value !== defaultSettings[name]).map((value) => ({ [name]: value })),
      ),
    );
  });

test('a refused change is reported in the settings until one is accepted', async () => {
  let isGone = true;
  const { user, bridge } = await open({
    'settings.change': (change) =>
      isGone ? fail({ kind: 'data-gone', path: '/data' }) : { values: settings.parse({ ...usedSettings, ...change }) },
  });
  await user.click(screen.getByRole('button', { name: 'Settings' }));
  await user.click(screen.getByRole('button', { name: 'Uploads' }));
  const field = await screen.findByRole('textbox', { name: 'Files per request' });
  fireEvent.change(field, { target: { value: '20' } });
  fireEvent.blur(field);
  expect(await screen.findByRole('alert')).toBeDefined();
  isGone = false;
  fireEvent.blur(field);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(bridge.inputsOf('settings.change')).toEqual([{ uploadFiles: 20 }, { uploadFiles: 20 }]);
});

/** Something sound to type into each field that is saved when it is left; the words first, then the numbers. */
const typings = [
  ['Export', 'Password for exported ZIPs', { exportPassword: 'malware' }] as const,
  ...names.map((name) => {
    const [least, most] = rangeOf(name);
    return [...fields[name], { [name]: least === defaultSettings[name] ? most : least }] as const;
  }),
];

for (const { tags, cases } of longAfter(2, typings))
  test.each(cases)(
    '%s, %s: global keys work in the field, and Enter saves',
    { tags },
    async (section, label, change) => {
      const { user, bridge } = await open();
      await user.click(screen.getByRole('button', { name: 'Settings' }));
      await user.click(screen.getByRole('button', { name: section }));
      const field = await screen.findByRole('textbox', { name: label });
      await user.click(field);
      await user.keyboard('{Control>}k{/Control}');
      expect(screen.getByRole('combobox', { expanded: true })).toBe(document.activeElement);
      await user.click(field);
      await user.clear(field);
      await user.keyboard(`${Object.values(change).join('')}{Enter}`);
      expect(bridge.inputsOf('settings.change')).toEqual([change]);
    },
  );

for (const { tags, cases } of longAfter(2, typings))
  test.each(cases)(
    '%s, %s: a value restored before the change was answered is saved after it, once',
    { tags },
    async (section, label, change) => {
      const first = Promise.withResolvers<void>();
      let stored: Settings = usedSettings;
      let isFirst = true;
      const { user, bridge } = await open({
        'settings.read': () => ({ values: stored, damaged: [] }),
        'settings.change': async (changed) => {
          if (isFirst) {
            isFirst = false;
            await first.promise;
          }
          stored = settings.parse({ ...stored, ...changed });
          return { values: stored };
        },
      });
      await user.click(screen.getByRole('button', { name: 'Settings' }));
      await user.click(screen.getByRole('button', { name: section }));
      const field = await screen.findByRole<HTMLInputElement>('textbox', { name: label });
      const before = field.value;
      const put = (value: string): void => {
        fireEvent.change(field, { target: { value } });
        fireEvent.blur(field);
      };
      put(Object.values(change).join(''));
      await waitFor(() => expect(bridge.inputsOf('settings.change')).toHaveLength(1));
      put(before);
      await act(async () => first.resolve());
      await waitFor(() => expect(bridge.inputsOf('settings.change')).toHaveLength(2));
      expect(stored).toEqual(usedSettings);
      fireEvent.blur(field);
      expect(bridge.inputsOf('settings.change')).toHaveLength(2);
    },
  );
