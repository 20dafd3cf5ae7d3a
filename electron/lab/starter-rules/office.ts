import { fileOf, type StarterFile } from './starter-file.ts';

const officeDocument = String.raw`
rule office_openxml : document office
{
    meta:
        author = "Vitrine"
        description = "A document, sheet or presentation in Office Open XML"
        revision = 1
    strings:
        $types = "[Content_Types].xml"
        $word = "word/document.xml"
        $sheet = "xl/workbook.xml"
        $slides = "ppt/presentation.xml"
    condition:
        uint32be(0) == 0x504b0304 and $types in (0..64) and any of ($word, $sheet, $slides)
}`;

const officeMacro = String.raw`
rule office_vba_project : document office macro
{
    meta:
        author = "Vitrine"
        description = "A document that carries a VBA project, inside a ZIP or a compound file"
        revision = 2
    strings:
        $project = "vbaProject.bin"
        $storage = { 5f 00 56 00 42 00 41 00 5f 00 50 00 52 00 4f 00 4a 00 45 00 43 00 54 00 }
    condition:
        (uint32be(0) == 0x504b0304 and $project) or (uint32be(0) == 0xd0cf11e0 and $storage)
}`;

const macroAutorun = String.raw`
rule office_macro_autorun : office macro
{
    meta:
        author = "Vitrine"
        description = "The source of a macro that starts by itself and starts something else"
        revision = 1
    strings:
        $opens = /\b(AutoOpen|Auto_Open|Document_Open|Workbook_Open)\b/ nocase
        $shell = "WScript.Shell" nocase
        $run = /\bShell[ \t]*\(/ nocase
    condition:
        filesize < 4MB and $opens and any of ($shell, $run)
}`;

const remoteTemplate = String.raw`
rule office_remote_template : document office
{
    meta:
        author = "Vitrine"
        description = "The relations of a document that fetches its template from elsewhere"
        revision = 1
    strings:
        $type = "/relationships/attachedTemplate"
        $away = /Target="https?:\/\/[^"]{1,200}"[^>]{0,80}TargetMode="External"/
    condition:
        all of them
}`;

/** Test has one rule more. */
export const office: StarterFile = {
  path: 'office/macros.yar',
  release: fileOf(officeDocument, officeMacro, macroAutorun),
  test: fileOf(officeDocument, officeMacro, macroAutorun, remoteTemplate),
};
