import { createContext, type ReactNode, use } from 'react';
import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { Field } from '../fields/field.tsx';
import { PressedElement } from './pressed-element.tsx';
import { RichText } from './rich-text.tsx';
import { SafeImage, TextObject, wordsOf } from './text-object.tsx';

type Draw = (block: JsonObject) => ReactNode;

// Add new kinds of blocks here.
const DRAWINGS = new Map<unknown, Draw>([
  ['section', (block) => <Section block={block} />],
  ['header', (block) => <Header block={block} />],
  ['divider', () => <hr />],
  ['image', (block) => <Picture block={block} />],
  ['context', (block) => <Context block={block} />],
  ['actions', (block) => <Actions block={block} />],
  ['rich_text', (block) => <RichText block={block} />],
  ['input', (block) => <Field block={block} />],
]);

/** Block Kit as people see it. Unsupported kinds are named, so that they aren't overlooked. */
export function Blocks({ blocks }: { blocks: JsonObject[] }) {
  return (
    <div className="stack blocks">
      {blocks.map((block) => {
        const draw = DRAWINGS.get(block.type);
        const key = asText(block.block_id);
        return (
          <div key={key} className={`block block-of-${asText(block.type)}`}>
            {draw ? draw(block) : <p className="not-drawn">({asText(block.type)})</p>}
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
  const { text, fields, accessory } = block;
  return (
    <div className="section">
      <div className="section-words">
        {text === undefined ? null : (
          <div className="section-text">
            <TextObject value={text} />
          </div>
        )}
        {Array.isArray(fields) ? (
          <div className="section-fields">
            {objectsOf(fields).map((field) => (
              <div key={asText(field.text)}>
                <TextObject value={field} />
              </div>
            ))}
          </div>
        ) : null}
      </div>
      {accessory === undefined ? null : <Accessory block={block} element={asObject(accessory)} />}
    </div>
  );
}

function Accessory({ block, element }: { block: JsonObject; element: JsonObject }) {
  return (
    <div className="accessory">
      {element.type === 'image' ? (
        <SafeImage address={asText(element.image_url)} alt={asText(element.alt_text)} />
      ) : (
        <PressedElement blockId={asText(block.block_id)} element={element} />
      )}
    </div>
  );
}

function Picture({ block }: { block: JsonObject }) {
  return (
    <figure className="picture">
      {block.title === undefined ? null : <figcaption>{wordsOf(block.title)}</figcaption>}
      <SafeImage address={asText(block.image_url)} alt={asText(block.alt_text)} />
    </figure>
  );
}

function Context({ block }: { block: JsonObject }) {
  return (
    <div className="soft row context">
      {objectsOf(block.elements).map((element) =>
        element.type === 'image' ? (
          <SafeImage
            key={asText(element.image_url)}
            address={asText(element.image_url)}
            alt={asText(element.alt_text)}
          />
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
    <div className="wrap actions">
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
