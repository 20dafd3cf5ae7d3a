import { type Program, startProgram } from './program.ts';
import { startFieldDialect } from './faults/field-dialect.ts';

/** A team's repository as the field has it: a lab of its own, reached through the field dialect. */
export interface FieldServer {
  baseUrl: string;
  token: string;
  /** The same lab without the dialect. */
  labUrl: string;
  stop(): Promise<void>;
}

export async function startFieldServer(dataDirectory: string): Promise<FieldServer> {
  const lab = startProgram('electron/lab.ts', ['--port', '0', '--data', dataDirectory]);
  const [, labUrl = ''] = await lab.printed(/(http:\/\/127\.0\.0\.1:\d+\/repository)\/api\.php/);
  const token = await makeToken(dataDirectory);
  const dialect = await startFieldDialect({ target: labUrl });
  return { baseUrl: dialect.baseUrl, token, labUrl, stop: async () => void (await Promise.all([dialect.close(), lab.stop()])) };
}

async function makeToken(dataDirectory: string): Promise<string> {
  const made: Program = startProgram('electron/lab.ts', ['token', 'add', '--rights', 'read,download', '--data', dataDirectory]);
  const [, token = ''] = await made.printed(/^([0-9A-Za-z_-]{32,})$/m);
  await made.exited;
  return token;
}
