import { hash } from 'node:crypto';
import { z } from 'zod';
import type { GeneratedSample } from '../generated-samples.ts';

/** A lab as a client finds it, and what it may ask for there. */
export interface AskedLab {
  /** `http://127.0.0.1:PORT`. */
  origin: string;
  token: string;
  samples: readonly GeneratedSample[];
  /** MD5 of a sample that is only talked about: its record grows. */
  discussed: string;
}

type Ask = (lab: AskedLab, number: number) => Promise<Response>;

/** Served, or asked to retry. Any other or inexact response is thrown. */
export type Served = 'served' | 'busy';

/** One of seven requests in turn, each other than those before. @param number counts up over all clients */
export async function askInTurn(lab: AskedLab, number: number): Promise<Served> {
  const ask = turns[number % turns.length] ?? getFile;
  const response = await ask(lab, number);
  if (response.status !== 503) return 'served';
  await response.arrayBuffer();
  if (response.headers.get('retry-after') === null) throw new Error('a busy lab does not say when to come again');
  return 'busy';
}

const getFile: Ask = async (lab, number) => {
  const { md5 } = sampleAt(lab, number);
  const response = await fetch(`${repository(lab, 'getfile')}&hash=${md5}`);
  await requireText(response, md5);
  return response;
};

const downloadFile: Ask = async (lab, number) => {
  const { md5 } = sampleAt(lab, number);
  const response = await fetch(`${repository(lab, 'downloadfile')}&file=${md5}`);
  if (hash('md5', new Uint8Array(await response.arrayBuffer())) !== md5)
    throw new Error(`other bytes than those of ${md5}`);
  return response;
};

const bulkDownload: Ask = async (lab, number) => {
  const wanted = Array.from({ length: 10 }, (_, at) => sampleAt(lab, number + at).md5);
  const response = await fetch(`${repository(lab, 'bulkdownload')}${wanted.map((md5) => `&files[]=${md5}`).join('')}`);
  const archive = Buffer.from(await response.arrayBuffer()).toString('latin1');
  if (response.status !== 200 || wanted.some((md5) => !archive.includes(md5)))
    throw new Error('an archive without what was asked for');
  return response;
};

const addComment: Ask = async (lab, number) => {
  const body = new URLSearchParams({ hash: lab.discussed, comment: JSON.stringify({ content: `remark ${number}` }) });
  const response = await fetch(repository(lab, 'addcomment'), { method: 'POST', body });
  await requireText(response, '"id"');
  return response;
};

const uploadFile: Ask = async (lab, number) => {
  const content = `nobody has this yet: ${lab.token} ${number}`;
  const response = await fetch(repository(lab, 'uploadfiles'), { method: 'POST', body: formOf('files[]', content) });
  if (response.status !== 503) await requireText(response, hash('sha256', content));
  return response;
};

const checkVersion: Ask = async (lab) => {
  const response = await fetch(`${lab.origin}/rules/api.php?action=checkpackageversion&version=0&token=${lab.token}`);
  await requireText(response, 'last_version');
  return response;
};

const scanFile: Ask = async (lab, number) => {
  const response = await fetch(`${lab.origin}/rules/api.php?action=scanfile&token=${lab.token}`, {
    method: 'POST',
    body: formOf('file', `looked at ${number}`),
  });
  if (response.status !== 503) z.json().parse(await response.json());
  return response;
};

const turns: readonly Ask[] = [getFile, downloadFile, bulkDownload, addComment, uploadFile, checkVersion, scanFile];

const repository = ({ origin, token }: AskedLab, action: string): string =>
  `${origin}/repository/api.php?action=${action}&token=${token}`;

function formOf(field: string, content: string): FormData {
  const form = new FormData();
  form.append(field, new Blob([content]), 'file.bin');
  return form;
}

function sampleAt({ samples }: AskedLab, number: number): GeneratedSample {
  const sample = samples[number % samples.length];
  if (sample === undefined) throw new RangeError('the lab has no samples');
  return sample;
}

async function requireText(response: Response, expected: string): Promise<void> {
  const text = await response.text();
  if (!response.ok || !text.includes(expected)) throw new Error(`${response.status}: ${text.slice(0, 200)}`);
}
