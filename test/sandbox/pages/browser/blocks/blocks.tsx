import { type ComponentType, createContext, use } from 'react';
import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Field } from '../fields/field.tsx';
import { RichText } from '../text/mrkdwn-text.tsx';
import { PressedElement } from './pressed-element.tsx';
import { SafeImage, TextObject, wordsOf } from './text-object.tsx';

// Add new kinds of blocks here.
const DRAWINGS = new Map<unknown, ComponentType<{ block: JsonObject }>>([
  ['section', Section],
  ['header', Header],
  ['divider', () => <hr />],
  ['image', Figure],
  ['context', Context],
  ['actions', Actions],
  ['rich_text', RichText],
  ['input', Field],
]);

/** Block Kit as people see it. Unsupported kinds are named, so that they aren't overlooked. */
export function Blocks({ blocks }: { blocks: JsonObject[] }) {
  return (
    <div className="stack blocks">
      {blocks.map((block) => {
        const Drawing = DRAWINGS.get(block.type);
        const key = asText(block.block_id);
        return (
          <div key={key} className={`block block-of-${asText(block.type)}`}>
            {Drawing ? <Drawing block={block} /> : <p className="faint">({asText(block.type)})</p>}
          </div>
        );
      })}
    </div>
  );
}

/** The level of headings in blocks, below the one of what is around them. */
export const HeadingContext = createContext<'h2' | 'h3'>('h3');

function Header({ block }: { block: JsonObject }) {
  const Level = use(HeadingContext);
  return <Level className="block-header">{wordsOf(block.text)}</Level>;
}

function Section({ block }: { block: JsonObject }) {
  const accessory = asObject(block.accessory);
  const fields = objectsOf(block.fields);
  return (
    <div className="section">
      <div className="section-words">
        {block.text === undefined ? null : (
          <div className="section-text">
            <TextObject value={block.text} />
          </div>
        )}
        {fields.length > 0 ? (
          <div className="section-fields">
            {fields.map((field) => (
              <div key={asText(field.text)}>
                <TextObject value={field} />
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {block.accessory === undefined ? null : (
        <div className="accessory">
          {accessory.type === 'image' ? (
            <Picture block={accessory} />
          ) : (
            <PressedElement blockId={asText(block.block_id)} element={accessory} />
          )}
        </div>
      )}
    </div>
  );
}

/** An image block, or an image in another block. */
const Picture = ({ block }: { block: JsonObject }) => (
  <SafeImage address={asText(block.image_url)} alt={asText(block.alt_text)} />
);

function Figure({ block }: { block: JsonObject }) {
  return (
    <figure className="picture">
      <Picture block={block} />
    </figure>
  );
}

function Context({ block }: { block: JsonObject }) {
  return (
    <div className="soft row context">
      {objectsOf(block.elements).map((element) =>
        element.type === 'image' ? (
          <Picture key={asText(element.image_url)} block={element} />
        ) : (
          <span key={asText(element.text)}>
            <TextObject value={element} />
          </span>
        ),
      )}
    </div>
  );
}

function Actions({ block }: { block: JsonObject }) {
  return (
    <div className="wrap">
      {objectsOf(block.elements).map((element) => (
        <PressedElement
          key={asText(element.action_id)}
          blockId={asText(block.block_id)}
          element={element}
        />
      ))}
    </div>
  );
}
