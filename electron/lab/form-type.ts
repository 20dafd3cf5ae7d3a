import type { IncomingMessage } from 'node:http';
import { LabError } from './errors.ts';

/** At most 70 characters of a boundary (RFC 2046, section 5.1.1). */
const boundaryParameter = /;\s*boundary=(?:"([^"\\]{1,70})"|([^\s;",]{1,70}))\s*(?:;|$)/i;

/** How the body of a request is to be read. */
export type FormType = { kind: 'multipart'; boundary: string } | { kind: 'urlencoded' };

/** @throws LabError `wrong-type` */
export function formType({ headers }: IncomingMessage): FormType {
  const type = headers['content-type'] ?? '';
  const [essence = ''] = type.split(';', 1);
  switch (essence.trim().toLowerCase()) {
    case 'application/x-www-form-urlencoded':
      return { kind: 'urlencoded' };
    case 'multipart/form-data':
      return { kind: 'multipart', boundary: readBoundary(type) };
    default:
      throw new LabError('wrong-type', 'This action needs a form.');
  }
}

/** The boundary of a multipart form. @throws LabError `wrong-type` for any other body */
export function multipartBoundary(request: IncomingMessage): string {
  const type = formType(request);
  if (type.kind !== 'multipart') throw new LabError('wrong-type', 'This action needs multipart/form-data.');
  return type.boundary;
}

function readBoundary(type: string): string {
  const [, quoted, bare] = boundaryParameter.exec(type) ?? [];
  const boundary = quoted ?? bare;
  if (boundary === undefined)
    throw new LabError('body-malformed', 'The content type needs a boundary of at most 70 characters.');
  return boundary;
}
