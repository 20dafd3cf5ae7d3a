import { createHash } from 'node:crypto';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { multipart, post } from './hand-made-form.fixture.ts';
import { ReplyGate } from './reply-gate.ts';
import { type ScriptedRuleEditor, startRuleEditor } from './rule-editor.ts';
import { cut, hangUp, inTurn, late, refusal, said, words } from './scan-answers.ts';
import { cleanShapes, failedShapes, hitShapes, strangeShapes } from './scan-shapes.ts';

let editor: ScriptedRuleEditor;
beforeEach(async () => {
  editor = await startRuleEditor();
  onTestFinished(editor.close);
});

const bytes = Buffer.from('some bytes');
const scan = () =>
  post(
    `${editor.baseUrl}/api.php?action=scanfile&token=secret`,
    multipart(['token', 'secret'], ['files[]', 'a.exe', bytes]),
  );

test('the scripted rule editor records each received form before it answers, without the token', async () => {
  editor.answer('scanfile', said({ matches: [] }));
  expect(await scan()).toEqual({ status: 200, type: 'text/html; charset=UTF-8', text: '{"matches":[]}' });
  expect(editor.posted).toEqual([
    {
      method: 'POST',
      action: 'scanfile',
      query: 'action=scanfile',
      announced: expect.any(Number),
      bytes: editor.posted[0]?.announced,
      form: {
        fields: { token: ['(token)'] },
        parts: [{ field: 'files[]', name: 'a.exe', sizeBytes: 10, md5: createHash('md5').update(bytes).digest('hex') }],
      },
    },
  ]);
});

test('the scripted rule editor refuses at once, without reading the body', async () => {
  editor.answer('scanfile', refusal(413), 'at-once');
  expect(await scan()).toMatchObject({ status: 413, text: '' });
  expect(editor.posted[0]?.form).toBeNull();
});

test('the scripted rule editor answers when it is released', async () => {
  const gate = new ReplyGate();
  editor.answer('scanfile', late(gate, words('done')));
  const asked = scan();
  await gate.holding();
  gate.release();
  expect(await asked).toMatchObject({ status: 200, text: 'done' });
});

test('the scripted rule editor repeats its last answer, breaks off and closes the connection', async () => {
  editor.answer('scanfile', inTurn(refusal(503, { 'Retry-After': '1' }), said([])));
  expect([(await scan()).status, (await scan()).text, (await scan()).text]).toEqual([503, '[]', '[]']);
  for (const broken of [cut({ matches: [] }), hangUp]) {
    editor.answer('scanfile', broken);
    await expect(scan()).rejects.toMatchObject({ code: 'ECONNRESET' });
  }
});

test('every answer shape is valid JSON and differs from the others', () => {
  const hit = { rule: 'r', at: [{ id: '$a', offset: 3, text: 'bytes' }] };
  const shapes = [
    ...Object.values(hitShapes).map((shape) => shape(hit)),
    ...Object.values({ ...cleanShapes, ...failedShapes, ...strangeShapes }),
  ].map((shape) => JSON.stringify(shape));
  expect(new Set(shapes).size).toBe(shapes.length);
  expect(shapes.filter((shape) => /undefined|NaN/.test(shape))).toEqual([]);
});
