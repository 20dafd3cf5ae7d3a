import type { IncomingMessage, ServerResponse } from 'node:http';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isFinalJob } from '../../../shared/domain/job.ts';
import type { ReceivedForm, ScriptedRepository } from './scripted-repository.fixture.ts';
import { newBench, outcomesOf, quietDraft } from './upload-bench.fixture.ts';
import { ended, team } from './uploads.fixture.ts';

type Upload = (repository: ScriptedRepository, form: ReceivedForm, response: ServerResponse) => void;
const replied = (response: ServerResponse, status: number, body: string): void =>
  void response.writeHead(status).end(body);

const keep = (repository: ScriptedRepository, { files }: ReceivedForm, count = Infinity): void => {
  for (const { md5 } of files.slice(0, count)) repository.stored.add(md5);
};

/** What a server may do with a body that has arrived. */
const uploads: Record<string, Upload> = {
  stores: (repository, form, response) => repository.store(form, response),
  'stores the first, and names the first': (repository, form, response) =>
    repository.store({ ...form, files: form.files.slice(0, 1) }, response),
  'stores the first, and names all': (repository, form, response) => {
    keep(repository, form, 1);
    replied(response, 200, JSON.stringify({ files: form.files.map(({ md5 }) => ({ md5 })) }));
  },
  'stores, and hangs up': (repository, form, response) => (keep(repository, form), void response.destroy()),
  'stores none, and hangs up': (_repository, _form, response) => void response.destroy(),
  'stores, and breaks its reply off': (repository, form, response) => {
    keep(repository, form);
    response.writeHead(200, { 'Content-Length': 100 });
    response.write('{"files":', () => response.destroy());
  },
  'stores, and fails': (repository, form, response) => (
    keep(repository, form),
    replied(response, 502, '<html>Bad gateway</html>')
  ),
  fails: (_repository, _form, response) => replied(response, 500, ''),
  'refuses all without a hash': (_repository, { files }, response) =>
    replied(response, 200, JSON.stringify({ files: files.map(() => ({ md5: false, error: 'File is too small' })) })),
  forbids: (_repository, _form, response) => replied(response, 403, 'Not enough rights'),
  'refuses the token': (_repository, _form, response) => replied(response, 401, ''),
  'says nothing': (_repository, _form, response) => replied(response, 200, ''),
  'says that there are none': (_repository, _form, response) => replied(response, 200, '{"files":[]}'),
  'shows a page': (_repository, _form, response) => replied(response, 200, '<!doctype html><title>Log in</title>'),
  'asks for a pause': (_repository, _form, response) => void response.writeHead(429).end(),
};

/** Answers to a request as a whole, of which nothing can have been taken: it is sent again once a person resumes. */
const refusesWhole = new Set(['refuses the token', 'asks for a pause']);
/** The record shows that nothing was taken, where it can be read: then it may be sent again, in parts. */
const dropsWhole = 'says that there are none';

/** What it may do before that. */
const heads: Record<string, (request: IncomingMessage, response: ServerResponse) => true> = {
  'cuts the body': (request) => (request.once('data', () => request.destroy()), true),
  'takes only small requests': (_request, response) => (replied(response, 413, ''), true),
};

const behaviour = fc.constantFrom(...Object.keys(uploads), ...Object.keys(heads), 'stores', 'stores');
const records: Record<string, ((response: ServerResponse) => boolean) | undefined> = {
  known: undefined,
  'nobody may read': (response) => (replied(response, 403, 'Not enough rights'), true),
};

test('no file arrives twice automatically, and each is done or in a job with a reason, on any server', async () => {
  const { setup, repository } = await newBench({}, { settings: { uploadFiles: 3 } });
  let round = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(behaviour, { minLength: 6, maxLength: 6 }),
      fc.constantFrom(...Object.keys(records)),
      fc.integer({ min: 1, max: 8 }),
      async (script, reading, count) => {
        round += 1;
        repository.script = {};
        const taken: string[] = [];
        const before = repository.uploads();
        await setup.add(
          Object.fromEntries(
            Array.from({ length: count }, (_, index) => [
              `${index}.bin`,
              `round ${round}, file ${index} `.repeat(9000),
            ]),
          ),
        );
        await quietDraft(setup);
        const record = records[reading];
        const behaviourOf = (number: number): string => script[number - before - 1] ?? 'stores';
        repository.script = {
          ...(record && { record: (_, response) => record(response) }),
          head: (request, response, number) => heads[behaviourOf(number)]?.(request, response) ?? false,
          upload: (form, response, number) => {
            const what = behaviourOf(number);
            const isTaken = !refusesWhole.has(what) && !(what === dropsWhole && record === undefined);
            if (isTaken) taken.push(...form.files.map(({ md5 }) => md5));
            (uploads[what] ?? uploads['stores'])?.(repository, form, response);
          },
        };
        const { id } = await setup.uploads.send(team);
        let job = await ended(setup, id);
        // The person mends what halted it, and continues.
        for (let resumed = 0; resumed < 9 && !isFinalJob(job); resumed += 1) {
          expect(job.failure).not.toBeNull();
          setup.jobs.resume(id);
          job = await ended(setup, id);
        }
        expect(isFinalJob(job)).toBe(true);
        const outcomes = await outcomesOf(setup, id);
        expect(Object.keys(outcomes)).toHaveLength(count);
        expect(Object.values(outcomes)).not.toContain('waiting');
        expect(taken).toHaveLength(new Set(taken).size);
        if (record) return;
        const held = (await setup.itemsOf(id))
          .filter(({ md5 }) => repository.stored.has(md5 ?? ''))
          .map(({ name }) => name);
        const reported = Object.entries(outcomes)
          .filter(([, state]) => state === 'done' || state === 'already-here')
          .map(([name]) => name);
        expect(new Set(reported)).toEqual(new Set(held));
      },
    ),
    { numRuns: 15 },
  );
});
