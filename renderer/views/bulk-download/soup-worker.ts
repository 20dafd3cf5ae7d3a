import type { SoupAnswer, SoupRequest } from './soup-messages.ts';
import { SoupDesk } from './soup-reader.ts';

const desk = new SoupDesk();

async function answer(request: SoupRequest): Promise<SoupAnswer> {
  const { id } = request;
  if (request.kind === 'read') return { id, kind: 'read', outcome: await desk.read(request.source) };
  if (request.kind === 'lines') return { id, kind: 'lines', lines: desk.lines(request.from, request.count) };
  return { id, kind: 'found', found: desk.found(request.from, request.count) };
}

self.addEventListener('message', ({ data }: MessageEvent<SoupRequest>) => {
  void answer(data).then((answered) => self.postMessage(answered));
});
