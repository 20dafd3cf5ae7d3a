/** The antivirus test string of eicar.org, in two parts so that no file of ours holds it whole. Harmless by design. */
export const eicarString = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', '$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('');
export const eicarMd5 = '44d88612fea8a8f36de82e1278abb02f';
export const eicarSha256 = '275a021bbfb6489e54d471899f7db9d1663fc695ec2fe2a2c4538aabf651fd0f';
