import { asText, isObject, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { wordsOf } from '../blocks/text-object.tsx';

const HEX = /^#?([0-9a-f]{6})$/i;

/** A preview of a link: under a message, or, without the name of the app, in the composer before it is sent. */
export function Attachment(props: { attachment: JsonObject; appName?: string }) {
  const { attachment, appName } = props;
  const { preview, blocks } = attachment;
  const [, color] = HEX.exec(asText(attachment.color)) ?? [];
  return (
    <div
      role="group"
      className={appName ? 'stack attachment' : 'preview'}
      aria-label="Link preview"
      style={color ? { borderInlineStartColor: `#${color}` } : undefined}
    >
      {isObject(preview) && !appName ? (
        <>
          <strong>{wordsOf(preview.title)}</strong>
          <span>{wordsOf(preview.subtitle)}</span>
        </>
      ) : (
        <Blocks blocks={objectsOf(blocks)} />
      )}
      {appName ? <p className="faint">Added by {appName}</p> : null}
    </div>
  );
}
