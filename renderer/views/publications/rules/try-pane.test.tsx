import { act, screen, waitFor, within } from '@testing-library/react';
import { type ReactNode, useEffect } from 'react';
import { expect, test } from 'vitest';
import type { RuleTrial } from '../../../../shared/domain/rule-trial.ts';
import type { SampleFacts } from '../../../../shared/domain/sample.ts';
import '../../../components/data-grid/layout.fixture.ts';
import { useLibraryPlace } from '../../../features/library/library-place.tsx';
import type { GivenAnswers } from '../../../test/memory-bridge.ts';
import '../../../test/page-surroundings.ts';
import { openTab, packageOf, ruleRowOf, stateOf } from '../open-tab.fixture.tsx';

const trialOf = (change: Partial<RuleTrial> = {}): RuleTrial => ({
  id: 't',
  state: 'running',
  failure: null,
  done: 0,
  total: 3,
  scanned: 0,
  hitTotal: 0,
  hits: [],
  unscannedTotal: 0,
  unscanned: [],
  leftOut: [],
  unknown: [],
  namesLeftOut: 0,
  ...change,
});
const row = ruleRowOf(0, { name: 'first' });

function openEditor(more: GivenAnswers = {}, around: ReactNode = null) {
  let trial = trialOf();
  const opened = openTab(
    'rules',
    {
      'publications.state': () => stateOf({ packages: [packageOf()] }),
      'publications.rules': () => ({
        sha256: packageOf().sha256,
        rows: [{ ...row, hits: 0, lastHit: null, cost: null, warnings: [], values: [] }],
        total: 1,
        metaKeys: [],
      }),
      'publications.rule': () => ({
        row,
        warnings: [],
        meta: [],
        imports: ['pe'],
        source: { file: 'a.yar', line: 1, text: 'rule first { condition: true }', lines: 1, isCut: false },
      }),
      'publications.ruleFacts': () => ({
        samples: 0,
        lastHit: null,
        weeks: Array.from({ length: 24 }, () => 0),
        newest: [],
        uses: [],
        usedBy: [],
        variables: [],
        cost: null,
      }),
      'mutes.list': () => ({ mutes: [] }),
      'ruleTrials.check': ({ source }) => ({
        rules: source.includes('rule') ? ['first'] : [],
        broken: source.includes('bad')
          ? [{ rule: 'bad', file: 'rule.yar', line: 2, kind: 'engine', text: 'unknown identifier `nothing`' }]
          : [],
        warnings: [
          { rule: 'first', file: 'rule.yar', line: 1, code: 'invariant_expr', text: 'invariant boolean expression' },
        ],
      }),
      'ruleTrials.start': () => trial,
      'ruleTrials.state': () => ({ trial }),
      'publications.ruleToTry': () => ({
        text: 'import "pe"\nprivate rule helper { condition: true }\n\nrule first { condition: helper }',
        others: ['helper'],
      }),
      ...more,
    },
    around,
  );
  return { ...opened, become: (next: RuleTrial) => (trial = next) };
}

test('a change of a rule is written, compiled and run by keyboard, and its results are shown by sample', async () => {
  const { user, bridge, become } = openEditor();
  await within(await screen.findByRole('region', { name: 'Rule first' })).findByRole('button', {
    name: /^Try a change/,
  });
  act(() => screen.getAllByRole('row')[1]?.focus());
  await user.keyboard('y');
  const pane = within(await screen.findByRole('region', { name: 'Try a rule' }));
  const editor = pane.getByRole<HTMLTextAreaElement>('textbox', { name: 'Rules to try' });
  expect(editor.value).toBe('import "pe"\nprivate rule helper { condition: true }\n\nrule first { condition: helper }');
  expect(await pane.findByText('1 rule compiled, 1 warning')).toBeDefined();
  await user.click(editor);
  await user.keyboard('{Tab}// bad');
  expect([editor.value.endsWith('    // bad'), document.activeElement]).toEqual([true, editor]);
  expect(await pane.findByText('Line 2: unknown identifier `nothing`')).toBeDefined();
  become(
    trialOf({
      state: 'done',
      done: 3,
      scanned: 2,
      hitTotal: 1,
      hits: [
        {
          sha256: 'b'.repeat(64),
          name: 'invoice.scr',
          rules: [{ rule: 'first', matches: 2, offset: 32 }],
          isCut: true,
        },
      ],
      unscannedTotal: 1,
      unscanned: [{ sha256: 'c'.repeat(64), name: 'big.iso', failure: { kind: 'cancelled' } }],
    }),
  );
  await user.keyboard('{Control>}{Enter}{/Control}');
  expect(await pane.findByText('1 sample hit of 2 scanned')).toBeDefined();
  expect(pane.getByText('2 matches, first at 0x20')).toBeDefined();
  expect(pane.getByText(/not listed$/)).toBeDefined();
  expect(pane.getByText(/^1 sample was not scanned:/).textContent).toContain('big.iso');
  expect(bridge.inputsOf('ruleTrials.start')).toMatchObject([{ scope: { kind: 'vault' } }]);
});

test('Escape and Tab lead out of the editor', async () => {
  const { user } = openEditor();
  await user.click(await screen.findByRole('button', { name: 'Try a rule' }));
  const editor = await screen.findByRole('textbox', { name: 'Rules to try' });
  await user.click(editor);
  await user.keyboard('{Escape}{Tab}');
  await waitFor(() => expect(document.activeElement).not.toBe(editor));
});

/** Who ticked samples in the library. */
function Ticked({ hashes }: { hashes: readonly string[] }) {
  const [, note] = useLibraryPlace();
  useEffect(() => note({ selection: { kind: 'these', keys: new Set(hashes) } }), [note, hashes]);
  return null;
}

const factsOf = (sha256: string | null): SampleFacts => ({
  sha256,
  sha1: null,
  md5: null,
  name: null,
  sizeBytes: null,
  type: null,
  tlp: null,
  isRecorded: false,
  ownTlp: null,
  threat: null,
  tags: [],
  serviceTags: [],
  hits: [],
  firstSeen: '',
  lastSeen: '',
  inVault: sha256 !== null,
  hasBytes: sha256 !== null,
});

async function written(user: Awaited<ReturnType<typeof openEditor>>['user']) {
  await user.click(await screen.findByRole('button', { name: 'Try a rule' }));
  const pane = within(await screen.findByRole('region', { name: 'Try a rule' }));
  await user.click(pane.getByRole('textbox', { name: 'Rules to try' }));
  await user.keyboard('rule');
  // An earlier draft may be here too.
  await pane.findByText(/^1 rule compiled/);
  return pane;
}

test('a trial runs over the samples selected in the library, and counts those it could not name', async () => {
  const [one, two] = ['b'.repeat(64), 'c'.repeat(64)];
  const hashes = [one, two, 'd'.repeat(32)];
  const { user, bridge, become } = openEditor(
    { 'library.facts': () => ({ samples: [factsOf(one), factsOf(two), factsOf(null)], next: null }) },
    <Ticked hashes={hashes} />,
  );
  const pane = await written(user);
  expect(pane.getByRole<HTMLInputElement>('radio', { name: '3 samples selected in the library' }).checked).toBe(true);
  become(trialOf({ state: 'done', done: 2, total: 2, scanned: 2 }));
  await user.click(pane.getByRole('button', { name: 'Run' }));
  expect(await pane.findByText('1 selected sample was not scanned: its SHA-256 is unknown.')).toBeDefined();
  expect(bridge.inputsOf('library.facts')).toMatchObject([{ selection: { kind: 'named', hashes } }]);
  expect(bridge.inputsOf('ruleTrials.start')).toMatchObject([{ scope: { kind: 'samples', sha256s: [one, two] } }]);
});

test('a trial runs over the files of a folder, whose hits have names alone', async () => {
  const { user, bridge, become } = openEditor();
  const pane = await written(user);
  expect(pane.getByRole<HTMLInputElement>('radio', { name: 'The whole vault' }).checked).toBe(true);
  const picker =
    document.querySelector<HTMLInputElement>('[data-picker="rule-trial-folder"]') ?? expect.fail('no picker');
  await user.upload(picker, [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')]);
  expect(pane.getByRole<HTMLInputElement>('radio', { name: '2 files from a folder' }).checked).toBe(true);
  become(
    trialOf({
      state: 'done',
      done: 2,
      total: 2,
      scanned: 2,
      hitTotal: 1,
      hits: [{ sha256: null, name: 'a.txt', rules: [{ rule: 'first', matches: 0, offset: null }], isCut: false }],
    }),
  );
  await user.click(pane.getByRole('button', { name: 'Run' }));
  expect(await pane.findByText('a.txt')).toBeDefined();
  expect(pane.queryByRole('button', { name: 'Open a.txt' })).toBeNull();
  expect(bridge.inputsOf('ruleTrials.start')).toMatchObject([
    { scope: { kind: 'files', files: [{ id: expect.any(String) }, { id: expect.any(String) }] } },
  ]);
});

test('a rule too long to be edited with its dependencies reports that', async () => {
  const { user } = openEditor({ 'publications.ruleToTry': () => ({ text: null, others: [] }) });
  await user.click(await screen.findByRole('button', { name: /^Try a change/ }));
  expect(await screen.findByText('This rule and the rules it uses are too long to edit here.')).toBeDefined();
});
