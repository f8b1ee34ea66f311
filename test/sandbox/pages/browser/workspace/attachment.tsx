import { asText, isObject, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { wordsOf } from '../blocks/text-object.tsx';

const HEX = /^#?([0-9a-f]{6})$/i;

export function Attachment({ attachment, appName }: { attachment: JsonObject; appName: string }) {
  const [, color] = HEX.exec(asText(attachment.color)) ?? [];
  return (
    <div
      role="group"
      className="attachment"
      aria-label="Link preview"
      style={color ? { borderInlineStartColor: `#${color}` } : undefined}
    >
      <Blocks blocks={objectsOf(attachment.blocks)} />
      <p className="by-app">Added by {appName}</p>
    </div>
  );
}

/** The composer's preview of a link before it is sent. */
export function PreviewCard({ attachment }: { attachment: JsonObject }) {
  const { preview } = attachment;
  const [, color] = HEX.exec(asText(attachment.color)) ?? [];
  const bar = color ? { borderInlineStartColor: `#${color}` } : undefined;
  if (!isObject(preview)) {
    return (
      <div role="group" className="preview" aria-label="Link preview" style={bar}>
        <Blocks blocks={objectsOf(attachment.blocks)} />
      </div>
    );
  }
  return (
    <div role="group" className="preview" aria-label="Link preview" style={bar}>
      <strong>{wordsOf(preview.title)}</strong>
      <span>{wordsOf(preview.subtitle)}</span>
    </div>
  );
}
