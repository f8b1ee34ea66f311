import { asObject, asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import { SurfaceContext, usePress } from '../blocks/surface.tsx';
import { SafeImage } from '../blocks/text-object.tsx';
import { Alert } from '../shell/alert.tsx';
import { useSlack } from '../workspace/slack-context.ts';
import { entityShown, type FieldShown } from './entity-shown.ts';

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
    <section className="stack work-object" aria-label={`Work Object: ${title}`}>
      <div className="work-object-head">
        <div>
          <p className="faint">
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
        <EntityActions entity={entity} />
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

export function EntityActions({ entity }: { entity: JsonObject }) {
  const { primary_actions, overflow_actions } = asObject(asObject(entity.entity_payload).actions);
  return <Actions primary={objectsOf(primary_actions)} more={objectsOf(overflow_actions)} />;
}

/** The buttons of a Work Object; the second list is behind “More actions”. */
export function Actions({ primary, more = [] }: { primary: JsonObject[]; more?: JsonObject[] }) {
  const { press, pending, problem } = usePress();
  const button = (action: JsonObject) => {
    const actionId = asText(action.action_id);
    const name = asText(action.text);
    return (
      <button
        key={actionId}
        type="button"
        className="button"
        aria-label={asText(action.accessibility_label) || name}
        disabled={pending}
        onClick={() => press({ blockId: 'actions', actionId, name, url: asText(action.url) })}
      >
        {name}
      </button>
    );
  };
  return (
    <div className="wrap">
      {primary.map(button)}
      {more.length > 0 ? (
        <details className="more-actions">
          <summary>More actions</summary>
          <div className="stack">{more.map(button)}</div>
        </details>
      ) : null}
      <Alert>{problem}</Alert>
    </div>
  );
}
