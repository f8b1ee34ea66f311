import { asObject, asText, type JsonObject, objectsOf } from '../../stand-ins/slack/json.ts';
import { textOf } from '../../stand-ins/slack/views/elements.ts';
import { wrap } from './columns.ts';
import { labelled } from './labelled.ts';
import type { Look } from './look.ts';
import { mrkdwnAsText, withoutControls } from './mrkdwn.ts';
import { richTextAsText } from './rich-text.ts';

type Draw = (block: JsonObject, look: Look) => string[];

const DRAWINGS = new Map<unknown, Draw>([
  ['section', drawSection],
  ['header', ({ text }, look) => [look.paint.bold(withoutControls(textOf(text)))]],
  [
    'context',
    ({ elements }, look) =>
      wrap(
        objectsOf(elements)
          .map((part) => words(part, look))
          .join('  '),
        look.columns,
      ).map(look.paint.dim),
  ],
  ['divider', (_block, { columns, paint }) => [paint.dim('─'.repeat(columns))]],
  ['image', drawImage],
  ['actions', ({ elements }) => [buttonsAsText(objectsOf(elements))]],
  ['rich_text', (block, look) => wrap(richTextAsText(block, look), look.columns)],
]);

/** Blocks as people see them, line by line. Kinds that the app doesn't use are named, not drawn. */
export function blocksAsLines(blocks: unknown, look: Look): string[] {
  return objectsOf(blocks).flatMap((block) => {
    const draw = DRAWINGS.get(block.type);
    return draw ? draw(block, look) : [look.paint.dim(`(${asText(block.type)})`)];
  });
}

/** `[ Open ]  [ Refresh ]` */
const buttonsAsText = (buttons: readonly JsonObject[]): string =>
  buttons.map(({ text }) => `[ ${withoutControls(textOf(text) || '⋯')} ]`).join('  ');

function words(part: JsonObject, look: Look): string {
  const text = asText(part.text);
  return part.type === 'mrkdwn' ? mrkdwnAsText(text, look) : withoutControls(text);
}

function drawSection({ text, fields, accessory }: JsonObject, look: Look): string[] {
  const above = text === undefined ? [] : wrap(words(asObject(text), look), look.columns);
  return [
    ...above,
    ...objectsOf(fields).flatMap((field) => drawField(field, look)),
    ...(accessory === undefined ? [] : drawAccessory(asObject(accessory), look)),
  ];
}

const drawAccessory = (element: JsonObject, look: Look): string[] =>
  element.type === 'image' ? drawImage(element, look) : [buttonsAsText([element])];

/** Slack's way to write a fact: its name in bold on its own line, then the value. */
const FACT = /^\*([^*\n]+)\*\n(.+)$/s;

function drawField(field: JsonObject, look: Look): string[] {
  const [, name, value] = FACT.exec(asText(field.text)) ?? [];
  return name === undefined || value === undefined
    ? wrap(words(field, look), look.columns)
    : labelled(mrkdwnAsText(name, look), mrkdwnAsText(value, look), look);
}

function drawImage({ image_url: address, alt_text: alt }: JsonObject, look: Look): string[] {
  const { paint, columns } = look;
  const described = wrap(`Picture: ${withoutControls(asText(alt))}`, columns);
  return [...described, paint.dim(withoutControls(asText(address)))];
}
