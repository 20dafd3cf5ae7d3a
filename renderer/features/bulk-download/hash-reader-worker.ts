import { HashReading, type ReaderAnswer, type ReaderRequest } from './hash-reader.ts';

const store = new HashReading();

async function answer(request: ReaderRequest): Promise<ReaderAnswer> {
  const { id } = request;
  if (request.kind === 'read') return { id, kind: 'read', outcome: await store.read(request.source) };
  if (request.kind === 'lines') return { id, kind: 'lines', lines: store.lines(request.from, request.count) };
  return { id, kind: 'found', found: store.found(request.from, request.count) };
}

self.addEventListener('message', ({ data }: MessageEvent<ReaderRequest>) => {
  void answer(data).then((answered) => self.postMessage(answered));
});
