import { asText, isObject, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { SafeImage } from '../blocks/safe-image.tsx';
import { wordsOf } from '../blocks/text-object.tsx';
import { MrkdwnText } from '../text/mrkdwn-text.tsx';

const HEX = /^#?([0-9a-f]{6})$/i;

/** A message's attachment, such as an unfurl: a colored bar next to its blocks. */
export function Attachment({ attachment, appName }: { attachment: JsonObject; appName: string }) {
  const [, color] = HEX.exec(asText(attachment.color)) ?? [];
  const blocks = objectsOf(attachment.blocks);
  return (
    <div
      role="group"
      className="attachment"
      aria-label={attachment.is_app_unfurl === true ? 'Link preview' : 'Attachment'}
      style={color ? { borderInlineStartColor: `#${color}` } : undefined}
    >
      {blocks.length > 0 ? (
        <Blocks blocks={blocks} />
      ) : (
        <LegacyAttachment attachment={attachment} />
      )}
      {attachment.is_app_unfurl === true ? <p className="by-app">Added by {appName}</p> : null}
    </div>
  );
}

function LegacyAttachment({ attachment }: { attachment: JsonObject }) {
  const { pretext, title, text, image_url: image } = attachment;
  return (
    <>
      {pretext ? <MrkdwnText text={asText(pretext)} /> : null}
      {title ? <strong>{asText(title)}</strong> : null}
      {text ? <MrkdwnText text={asText(text)} /> : null}
      {image ? <SafeImage address={asText(image)} alt="" /> : null}
    </>
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
