/** What reading and writing a ZIP agree on: numbers of APPNOTE.TXT 6.3.10. */
export const localSignature = 0x04034b50;
export const centralSignature = 0x02014b50;
export const descriptorSignature = 0x08074b50;
export const zip64EndSignature = 0x06064b50;
export const zip64LocatorSignature = 0x07064b50;
export const endSignature = 0x06054b50;

export const storedMethod = 0;
/** DEFLATE (RFC 1951). */
export const deflatedMethod = 8;
/** Of WinZip's AES; the method under it is in the extra field. */
export const aesMethod = 99;

export const encryptedFlag = 0x0001;
/** The CRC and the sizes stand behind the bytes. */
export const descriptorFlag = 0x0008;
/** The name is UTF-8 (appendix D). */
export const utf8Flag = 0x0800;

export const zip64FieldId = 0x0001;
/** Where a size, an offset or a number of entries is in a zip64 record instead. */
export const max32 = 0xffffffff;
export const max16 = 0xffff;
