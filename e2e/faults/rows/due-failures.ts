/** Failures that rows expect: in the words of the table, with the sentence that a person reads (`sentenceWords`). */
export interface DueFailure {
  failure: string;
  sentence: string;
}

export const lost: DueFailure = {
  failure: 'connection-lost',
  sentence:
    'The connection was lost during the transfer. Received … bytes of … bytes. Partial data was discarded; try again.',
};
export const wrongBytes: DueFailure = {
  failure: 'wrong-bytes',
  sentence: 'The received bytes do not match the MD5. Expected MD5, received MD5 (… bytes). The file was discarded.',
};
export const unavailable: DueFailure = {
  failure: 'service-failed',
  sentence: 'The repository failed (503). This is a server error; try again later.',
};
export const silent: DueFailure = {
  failure: 'timed-out (idle)',
  sentence:
    'The repository stopped responding. Waited 10 s for https://…/api.php. Try again, or raise the time limit in ' +
    'the workspace.',
};
export const signIn: DueFailure = {
  failure: 'html-reply',
  sentence:
    'The repository sent a web page. Status 200. Check the address: it may lead to a login page or proxy. ' +
    'Response starts with: …',
};
export const tokenRefused: DueFailure = {
  failure: 'token-refused',
  sentence:
    'Token rejected (401). The repository does not accept this token. Enter a new one in Settings > Workspaces.',
};
export const forbidden: DueFailure = {
  failure: 'forbidden',
  sentence: 'Not allowed (403). This token does not have the required right.',
};
export const contradicts: DueFailure = {
  failure: 'sha256-contradicts',
  sentence:
    'The received bytes do not match the record’s SHA-256. Only the MD5 matches: recorded SHA-256, received SHA-256. ' +
    'The file was discarded; one of the two may be forged.',
};
export const damaged: DueFailure = {
  failure: 'archive-damaged (Its bytes do not match their checksum)',
  sentence: '“MD5” is damaged: its bytes do not match their checksum. Files that could be read and verified were kept.',
};

export const cutShort: DueFailure = {
  failure: 'encoding-unusable (broken)',
  sentence:
    'The repository’s response cannot be decompressed. It came as gzip, which was not requested. ' +
    'The data is damaged or incomplete; try again.',
};
export const expanding: DueFailure = {
  failure: 'encoding-unusable (expansion)',
  sentence:
    'The repository’s response cannot be decompressed. It came as gzip, gzip, which was not requested. ' +
    'It expands too far to be a real response, so it was discarded.',
};
export const tooLong: DueFailure = {
  failure: 'reply-too-large',
  sentence: 'The repository’s response is too large. The limit for a response that is not a file is … bytes.',
};
export const unknown: DueFailure = {
  failure: 'unknown-hash',
  sentence: 'The repository does not know this hash. Check the hash, or look it up in another workspace.',
};
export const unknownBehindNotice: DueFailure = {
  failure: 'unknown-behind-warning',
  sentence:
    'The repository seems not to know this hash. It displayed a server warning before this reply, so the reply ' +
    'may be wrong. Response starts with: …',
};
export const noComments: DueFailure = {
  failure: 'action-unknown',
  sentence:
    'The repository does not support “addcomment”. It is an older or a different release. Test the connection in ' +
    'Settings to see what it supports.',
};
export const mayHaveArrived: DueFailure = {
  failure: 'may-have-arrived',
  sentence:
    'Response lost: the request may have arrived. “uploadfiles” is not sent again automatically. ' +
    'Look up the sample to check.',
};
export const dropped: DueFailure = {
  failure: 'too-large-for-service',
  sentence:
    'Too large for the repository. The service dropped the whole request, as servers do above their upload limit. ' +
    'Nothing was stored.',
};
export const unpacked = (counts: string, more = 'The archive itself is not stored.'): DueFailure => ({
  failure: 'upload-unpacked',
  sentence: `Unpacked by the server: ${counts}. ${more}`,
});
export const notStored: DueFailure = {
  failure: 'upload-vanished',
  sentence:
    'The service did not store the archive. It may have unpacked it: its reply named 0 files. ' +
    'Send the unpacked files instead.',
};
export const altered: DueFailure = {
  failure: 'upload-altered',
  sentence:
    'Stored, comment altered. The server decodes comments differently than assumed. The next upload allows for it.',
};
export const databaseDown: DueFailure = {
  failure: 'service-failed',
  sentence: 'The repository failed (200). This is a server error; try again later. Response starts with: …',
};
