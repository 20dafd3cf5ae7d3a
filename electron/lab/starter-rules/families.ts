import { fileOf, type StarterFile } from './starter-file.ts';

const formatsFirst = 'include "generic/formats.yar"';

const glasswingStub = (confidence: string): string => String.raw`
rule glasswing_stub : family windows
{
    meta:
        author = "Vitrine"
        description = "The stub of the Glasswing dropper, an invented family of the lab"
        confidence = "${confidence}"
        revision = 2
    strings:
        $stub = "This program cannot be run in DOS mode"
        $signature = { 50 45 00 00 4c 01 }
        $mark = "VITRINE SPECIMEN, NO CODE INSIDE"
    condition:
        windows_executable and $mark at 0x200 and $stub and $signature
}`;

const mothlightAgent = String.raw`
rule mothlight_agent : family linux
{
    meta:
        author = "Vitrine"
        description = "The Mothlight agent, an invented family of the lab"
        confidence = "high"
        revision = 1
    strings:
        $mark = "VITRINE SPECIMEN, NO CODE INSIDE"
    condition:
        elf_executable and $mark at 64
}`;

/** In Test one rule says another thing of itself. */
export const families: StarterFile = {
  path: 'families.yar',
  release: fileOf(formatsFirst, glasswingStub('medium'), mothlightAgent),
  test: fileOf(formatsFirst, glasswingStub('high'), mothlightAgent),
};
