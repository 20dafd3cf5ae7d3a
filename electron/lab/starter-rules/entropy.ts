import { fileOf, type StarterFile } from './starter-file.ts';

const modules = 'import "math"';

const highEntropy = (leastSize: string, leastBits: string): string => String.raw`
rule high_entropy : packed
{
    meta:
        author = "Vitrine"
        description = "Packed or encrypted from the first byte to the last"
        revision = 4
    condition:
        filesize > ${leastSize} and math.entropy(0, filesize) > ${leastBits}
}`;

const packedExecutable = String.raw`
rule packed_executable : packed windows
{
    meta:
        author = "Vitrine"
        description = "A Windows program with little to read in its first 256 KiB"
        revision = 2
    strings:
        $upx = "UPX!"
        $aspack = ".aspack"
        $petite = ".petite"
    condition:
        uint16(0) == 0x5a4d and (any of them or (filesize > 256KB and math.entropy(1KB, 255KB) > 7.4))
}`;

/** Test asks for more before it calls something noise: a specimen of 48 KiB is none then. */
export const entropy: StarterFile = {
  path: 'generic/entropy.yar',
  release: fileOf(modules, highEntropy('16KB', '7.2'), packedExecutable),
  test: fileOf(modules, highEntropy('64KB', '7.9'), packedExecutable),
};
