import type { ReactNode } from 'react';
import { asText, isObject, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Blocks } from '../blocks/blocks.tsx';
import { wordsOf } from '../blocks/text-object.tsx';

const HEX = /^#?([0-9a-f]{6})$/i;

type Props = { attachment: JsonObject; className: string; children: ReactNode };

function Bar({ attachment, className, children }: Props) {
  const [, color] = HEX.exec(asText(attachment.color)) ?? [];
  return (
    <div
      role="group"
      className={className}
      aria-label="Link preview"
      style={color ? { borderInlineStartColor: `#${color}` } : undefined}
    >
      {children}
    </div>
  );
}

export const Attachment = ({
  attachment,
  appName,
}: {
  attachment: JsonObject;
  appName: string;
}) => (
  <Bar attachment={attachment} className="stack attachment">
    <Blocks blocks={objectsOf(attachment.blocks)} />
    <p className="faint">Added by {appName}</p>
  </Bar>
);

/** The composer's preview of a link before it is sent. */
export function PreviewCard({ attachment }: { attachment: JsonObject }) {
  const { preview, blocks } = attachment;
  return (
    <Bar attachment={attachment} className="preview">
      {isObject(preview) ? (
        <>
          <strong>{wordsOf(preview.title)}</strong>
          <span>{wordsOf(preview.subtitle)}</span>
        </>
      ) : (
        <Blocks blocks={objectsOf(blocks)} />
      )}
    </Bar>
  );
}
