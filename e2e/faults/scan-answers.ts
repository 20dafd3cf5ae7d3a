import type { ReplyGate } from './reply-gate.ts';
import type { Answer } from './rule-editor.ts';

// What a scripted rule editor does with `scanfile` besides answering well.

const page = { 'Content-Type': 'text/html; charset=UTF-8' };

/** JSON as this family sends it: as a web page. */
export const said =
  (value: unknown, status = 200): Answer =>
  (response) =>
    response.writeHead(status, page).end(JSON.stringify(value));

/** Any text, such as JSON with a warning before it. */
export const words =
  (text: string, status = 200): Answer =>
  (response) =>
    response.writeHead(status, page).end(text);

/** A status and nothing else: 401, 404, 413. */
export const refusal =
  (status: number, headers: Record<string, string> = {}): Answer =>
  (response) =>
    response.writeHead(status, { ...headers, 'Content-Length': 0 }).end();

/** When the gate lets it. */
export const late =
  (gate: ReplyGate, answer: Answer): Answer =>
  (response, request) =>
    void gate.wait().then(() => answer(response, request));

/** The length of all of it is announced, and half of it comes. */
export const cut =
  (value: unknown): Answer =>
  (response) => {
    const body = Buffer.from(JSON.stringify(value));
    response.writeHead(200, { ...page, 'Content-Length': body.length });
    response.write(body.subarray(0, body.length / 2), () => response.destroy());
  };

/** The connection ends without a word. */
export const hangUp: Answer = (response) => void response.destroy();

/** One answer after the other, the last one from then on. */
export function inTurn(...answers: [Answer, ...Answer[]]): Answer {
  let next = 0;
  return (response, request) => {
    const answer = answers[Math.min(next, answers.length - 1)];
    next += 1;
    answer?.(response, request);
  };
}
