import '../../../test/page-surroundings.ts';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { LabPublication } from '../../../../shared/domain/lab.ts';
import { fail } from '../../../../shared/failure.ts';
import type { GivenAnswers } from '../../../test/memory-bridge.ts';
import { openTab } from '../open-tab.fixture.tsx';

const release: LabPublication = {
  id: '7',
  version: '2026.11.10',
  group: 'Release',
  published: '2026-11-10T14:00:00.000Z',
  files: 5,
  rules: 409,
};

function ruleFile(path: string, text = 'rule a { condition: true }'): File {
  const file = new File([text], path.split('/').at(-1) ?? path);
  Object.defineProperty(file, 'webkitRelativePath', { value: path.includes('/') ? path : '' });
  return file;
}

function openPublish(more: GivenAnswers = {}) {
  const page = openTab('publish', { 'lab.publications': () => ({ publications: [release] }), ...more });
  const pick = (...files: File[]): void => {
    const input = document.querySelector<HTMLInputElement>('[data-picker=folder]');
    if (input === null) throw new Error('no picker');
    fireEvent.change(input, { target: { files } });
  };
  return { ...page, pick };
}
const button = (name: string): HTMLElement => screen.getByRole('button', { name });
const isDisabled = (name: string): boolean => (button(name) as HTMLButtonElement).disabled;
const files = (): (string | null)[] =>
  within(screen.getByRole('list', { name: 'Files to publish' }))
    .queryAllByRole('listitem')
    .map(({ textContent }) => textContent);

test('files of a folder keep their relative path, other files are counted, and all rules are published', async () => {
  const { user, bridge, pick } = openPublish({
    'lab.publish': ({ version, group, files: given }) => ({
      published: { ...release, id: '8', version, group, files: given.length, rules: 2 },
      broken: [],
    }),
  });
  expect(await screen.findByText('2026.11.10')).toBeDefined();
  expect(isDisabled('Publish')).toBe(true);
  pick(ruleFile('mine/mail/b.yar'), ruleFile('mine/a.yara'), ruleFile('mine/README.md'));
  await waitFor(() => expect(files()).toEqual(['a.yara26 bytes', 'mail/b.yar26 bytes']));
  expect(screen.getByText('1 file skipped')).toBeDefined();
  await user.clear(screen.getByRole('textbox', { name: 'Version' }));
  await user.type(screen.getByRole('textbox', { name: 'Version' }), '1.4');
  await user.click(screen.getByRole('radio', { name: 'Test' }));
  await user.click(button('Publish'));
  const notice = await screen.findByRole('alert');
  expect(notice.textContent).toContain('1.4 published as Test');
  expect(notice.textContent).toContain('ignores Test publications');
  expect(bridge.inputsOf('lab.publish')).toEqual([
    {
      files: [
        { id: '0'.repeat(31) + '2', path: 'a.yara' },
        { id: '0'.repeat(31) + '1', path: 'mail/b.yar' },
      ],
      version: '1.4',
      group: 'Test',
    },
  ]);
  expect(files()).toEqual([]);
  expect(bridge.inputsOf('lab.publications')).toHaveLength(2);
});

test('a new publication is checked for at once', async () => {
  const { user, bridge, pick } = openPublish({ 'lab.publish': () => ({ published: release, broken: [] }) });
  pick(ruleFile('a.yar'));
  await waitFor(() => expect(isDisabled('Publish')).toBe(false));
  await user.click(button('Publish'));
  await user.click(await screen.findByRole('button', { name: 'Check now' }));
  expect(await screen.findByText('the updates')).toBeDefined();
  expect(bridge.inputsOf('publications.check')).toEqual([{ workspaceId: 'lab' }]);
});

test('broken rules are named by file, line and the engine’s message, and the files stay', async () => {
  const { user, pick } = openPublish({
    'lab.publish': () => ({
      published: null,
      broken: [{ rule: 'mailer', file: 'a.yar', line: 41, kind: 'engine', text: 'unknown identifier <i>$s4</i>' }],
    }),
  });
  pick(ruleFile('a.yar'));
  await waitFor(() => expect(isDisabled('Publish')).toBe(false));
  await user.click(button('Publish'));
  expect((await screen.findByRole('alert')).textContent).toContain('Nothing was published: 1 rule is broken');
  expect(screen.getByText('a.yar, line 41').closest('li')?.textContent).toBe(
    'a.yar, line 41mailer: unknown identifier <i>$s4</i>',
  );
  expect(files()).toEqual(['a.yar26 bytes']);
});

test('a file with the path of another replaces it, and one can be removed', async () => {
  const { user, pick } = openPublish();
  pick(ruleFile('a.yar'), ruleFile('b.yar'));
  await waitFor(() => expect(files()).toEqual(['a.yar26 bytes', 'b.yar26 bytes']));
  pick(ruleFile('a.yar', 'rule b { condition: false and true }'));
  await waitFor(() => expect(files()).toEqual(['a.yar36 bytes', 'b.yar26 bytes']));
  await user.click(button('Remove a.yar'));
  expect(files()).toEqual(['b.yar26 bytes']);
});

test('an invalid version is reported before anything is sent; the day is suggested', async () => {
  const day = new Date().toISOString().slice(0, 10).replaceAll('-', '.');
  const { user, bridge, pick } = openPublish({
    'lab.publications': () => ({ publications: [{ ...release, version: day }] }),
  });
  const field = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Version' });
  await waitFor(() => expect(field.value).toBe(`${day}.2`));
  pick(ruleFile('a.yar'));
  await waitFor(() => expect(isDisabled('Publish')).toBe(false));
  await user.clear(field);
  await user.type(field, '../1');
  await user.click(button('Publish'));
  expect(screen.getByText(/^Letters, digits/)).toBeDefined();
  expect(bridge.inputsOf('lab.publish')).toEqual([]);
});

test('a used version is reported with the lab’s message', async () => {
  const { user, pick } = openPublish({
    'lab.publish': () =>
      fail({
        kind: 'request-refused',
        service: 'rule-editor',
        address: 'http://127.0.0.1:1',
        status: 409,
        text: 'version 2026.11.10 is taken',
      }),
  });
  pick(ruleFile('a.yar'));
  await waitFor(() => expect(isDisabled('Publish')).toBe(false));
  await user.click(button('Publish'));
  expect((await screen.findByRole('alert')).textContent).toContain('version 2026.11.10 is taken');
  expect(files()).toEqual(['a.yar26 bytes']);
});
