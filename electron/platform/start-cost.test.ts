import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const electron = join(import.meta.dirname, '..');
/** The team lab's server starts once and talks HTTP to its store: its libraries load the module anyway. */
const isOfAProgram = (path: string): boolean =>
  path.endsWith('.ts') && !/\.(?:test|fixture|fuzz)\.ts$|(?:^|\/)testing\/|^team-lab\//.test(path);
const importsHttp = /^import (?!type\b)[^;]*from '(?:node:)?http';/m;

test('no program imports node:http, with which Node would load its WebSocket client at every start', () => {
  const sources = readdirSync(electron, { recursive: true, encoding: 'utf8' }).filter(isOfAProgram);
  expect(sources.length).toBeGreaterThan(100);
  expect(sources.filter((path) => importsHttp.test(readFileSync(join(electron, path), 'utf8')))).toEqual([]);
});
