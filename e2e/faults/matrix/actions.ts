/**
 * The actions of the two services (docs/services.md), in the order of the document. After a plus: what is faulty too,
 * where it is how the outcome is found out.
 */
export const actionNames = [
  'getfile',
  'downloadfile',
  'bulkdownload',
  'uploadfiles',
  'uploadfiles+getfile',
  'addcomment',
  'addcomment+getfile',
  'checkpackageversion',
  'downloadpublication',
  'scanfile',
] as const;
export type ActionName = (typeof actionNames)[number];

const ofRuleEditor: ReadonlySet<ActionName> = new Set<ActionName>([
  'checkpackageversion',
  'downloadpublication',
  'scanfile',
]);
export const isOfRuleEditor = (action: ActionName): boolean => ofRuleEditor.has(action);
