import type { JsonObject } from '../../../../stand-ins/slack/json.ts';
import { SafeImage } from '../blocks/safe-image.tsx';
import { SurfaceContext } from '../blocks/surface.tsx';
import { useSlack } from '../workspace/slack-context.tsx';
import { Actions } from './actions.tsx';
import { actionsShown, entityShown, type FieldShown } from './entity-shown.ts';

/** How many facts Slack shows in a message; the pane has all of them. */
const FACTS_SHOWN = 5;

/** A Work Object in a message. A click opens its details. */
export function WorkObject(props: {
  entity: JsonObject;
  at: { channelId: string; ts: string; index: number };
}) {
  const { entity, at } = props;
  const { snapshot, act } = useSlack();
  const { title, type, fields } = entityShown(entity);
  const facts = fields.filter(({ image, isLong }) => !image && !isLong).slice(0, FACTS_SHOWN);
  const picture = fields.find(({ image }) => image)?.image;
  return (
    <section className="work-object" aria-label={`Work Object: ${title}`}>
      <div className="work-object-head">
        <div>
          <p className="work-object-type">
            {type} · {snapshot.appName}
          </p>
          <button
            type="button"
            className="work-object-title"
            aria-haspopup="dialog"
            onClick={() => act({ do: 'open-details', ...at }, 'details')}
          >
            {title}
          </button>
        </div>
        {picture ? (
          <div className="work-object-thumbnail">
            <SafeImage {...picture} />
          </div>
        ) : null}
      </div>
      <Facts fields={facts} />
      <SurfaceContext value={{ kind: 'entity', ...at }}>
        <Actions {...actionsShown(entity)} />
      </SurfaceContext>
    </section>
  );
}

export function Facts({ fields }: { fields: FieldShown[] }) {
  if (fields.length === 0) return null;
  return (
    <dl className="facts">
      {fields.map((field) => (
        <div key={field.key} data-long={field.isLong || undefined}>
          <dt>{field.label}</dt>
          <dd>
            {field.tagColor ? (
              <span className="tag" data-color={field.tagColor}>
                {field.text}
              </span>
            ) : (
              field.text
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
