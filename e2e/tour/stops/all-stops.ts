import type { TourStop } from '../tour-stop.ts';
import { welcome } from './begin.ts';
import { activity, journal, palette, samplePage, storage } from './end.ts';
import { compared, copied, exported, exporting, library } from './library.ts';
import { bulk, draft, sent, triage } from './many-samples.ts';
import { conversations, download, lookUp, tagAndComment } from './one-sample.ts';
import { firstPackage, hunt, installed, scan, tried, update } from './rules.ts';

/** The whole job, in the order in which it is done. */
export const stops: readonly TourStop[] = [
  welcome,
  lookUp,
  download,
  tagAndComment,
  draft,
  sent,
  triage,
  bulk,
  conversations,
  firstPackage,
  update,
  installed,
  scan,
  hunt,
  tried,
  library,
  compared,
  copied,
  exporting,
  exported,
  samplePage,
  palette,
  storage,
  journal,
  activity,
];
