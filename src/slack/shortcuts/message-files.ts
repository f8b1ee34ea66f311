import type { RichTextSection } from '@slack/types';
import { z } from 'zod';
import type { FileOfMessage } from '../files/form-files.ts';
import { fitWithin, type RichTextPart } from '../text/rich-text-fit.ts';
import { FROM_MESSAGE, wordsForLeftFile } from '../words/shortcuts.ts';
import { DEPTH_MAX, isPosted, listOf } from './posted.ts';
import { linkElement, sectionOf, textElement } from './safe-elements.ts';

const maybeText = z.string().min(1).optional().catch(undefined);
const file = z
  .object({
    id: maybeText,
    name: maybeText,
    title: maybeText,
    permalink: maybeText,
    external_url: maybeText,
    url_private: maybeText,
    mode: maybeText,
  })
  .catch({});

const UNSEEN: Record<string, FileOfMessage['problem']> = {
  tombstone: 'deleted',
  hidden_by_limit: 'hidden',
};

/** Every file of a message, also of messages that are forwarded in it, and the pictures that are stored in Slack. */
export function filesIn(content: unknown): FileOfMessage[] {
  const found = new Map<string, FileOfMessage>();
  const add = (posted: unknown) => {
    const { id, name, title, mode = '', ...links } = file.parse(posted);
    const link = links.permalink ?? links.external_url ?? links.url_private;
    // Slack's own are unique; of others, each counts.
    const key = id ?? `${found.size}`;
    if (!found.has(key)) found.set(key, { id, name: name ?? title, link, problem: UNSEEN[mode] });
  };
  for (const [name, value] of namedValues(content, 0)) {
    if (name === 'files') (isPosted(value) ? [value] : listOf(value)).forEach(add);
    else if (name === 'slack_file' || name === 'file') addStored(value, add);
  }
  return [...found.values()];
}

/** Everything in a content, by the name that it has there. */
function* namedValues(posted: unknown, depth: number): Generator<[name: string, value: unknown]> {
  if (typeof posted !== 'object' || posted === null || depth > 2 * DEPTH_MAX) return;
  for (const [name, value] of Object.entries(posted)) {
    yield [name, value];
    yield* namedValues(value, depth + 1);
  }
}

/** A picture with an address is a link where it is shown. */
function addStored(value: unknown, add: (posted: unknown) => void): void {
  if (isPosted(value) && typeof value.id === 'string' && value.url === undefined) add(value);
}

/** How much the list of files takes, in bytes of JSON and in elements. */
const LISTED = { bytes: 20_000, elements: 60 };

/** Files by name, with their links, or with what became of them. */
export function fileList(files: readonly FileOfMessage[]): RichTextPart[] {
  if (files.length === 0) return [];
  const elements = files.map(itemOf);
  const { parts, isCut } = fitWithin(
    [{ type: 'rich_text_list', style: 'bullet', elements }],
    LISTED,
  );
  return [
    sectionOf([textElement(FROM_MESSAGE.files)]),
    ...parts,
    ...(isCut ? [sectionOf([textElement(FROM_MESSAGE.moreFiles, { italic: true })])] : []),
  ];
}

function itemOf({ name, link, problem }: FileOfMessage): RichTextSection {
  const isGone = problem === 'deleted' || problem === 'hidden';
  if (link !== undefined && !isGone) return sectionOf([linkElement(link, name)]);
  return sectionOf([textElement(wordsForLeftFile(problem, name))]);
}
