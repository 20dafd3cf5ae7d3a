import { afterEach, expect, test } from 'vitest';
import { openServiceDesk, type ServiceDesk, team } from './service-desk.fixture.ts';

const md5 = 'a'.repeat(32);
const comments = ['one', 'two', 'three'].map((content, at) => ({ id: at + 1, parent: null, content }));
let desk: ServiceDesk;
afterEach(() => desk.close());

test('who looks a sample up gets as many of its comments as were asked for, and the library all of them', async () => {
  desk = await openServiceDesk((_, response) => void response.end(JSON.stringify({ file: { md5, comments } })));
  const contentsOf = async (firstComments?: number): Promise<string[]> => (await desk.samples.lookup(team, md5, firstComments)).record.comments.map(({ content }) => content);
  expect(await contentsOf(2)).toEqual(['one', 'two']);
  expect(desk.stores.comments.thread(team, md5).comments.map(({ content }) => content)).toEqual(['one', 'two', 'three']);
  expect(await contentsOf(0)).toEqual([]);
  expect(await contentsOf()).toEqual(['one', 'two', 'three']);
});
