import { useEffect, useRef } from 'react';
import { asText, type JsonObject, objectsOf } from '../../../../stand-ins/slack/json.ts';
import type { Pane } from '../../../../stand-ins/slack/state/model.ts';
import { SurfaceContext } from '../blocks/surface.tsx';
import { SafeImage } from '../blocks/text-object.tsx';
import { Alert } from '../shell/alert.tsx';
import { Button } from '../shell/button.tsx';
import { useFocusBack } from '../shell/frame.tsx';
import { IconButton } from '../shell/icon.tsx';
import { ExternalLink } from '../text/external-link.tsx';
import { useSlack } from '../workspace/slack-context.ts';
import { entityShown, type FieldShown } from './entity-shown.ts';
import { Actions, EntityActions, Facts } from './work-object.tsx';

/** The details of a Work Object next to the conversation. Escape closes it. */
export function DetailsPane({ pane }: { pane: Pane }) {
  const { act } = useSlack();
  const { entity, error, waiting, entityUrl } = pane;
  const box = useRef<HTMLElement>(null);
  useFocusBack();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only when another card is opened
  useEffect(() => box.current?.focus(), [entityUrl]);
  return (
    <aside
      ref={box}
      className="details-pane"
      aria-label="Details"
      aria-busy={waiting}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key === 'Escape') void act({ do: 'close-details' });
      }}
    >
      <header className="row conversation-header">
        <h2>Details</h2>
        <Button onClick={() => act({ do: 'refresh-details' }, 'details')}>Reload</Button>
        <IconButton
          icon="cross"
          label="Close details"
          onClick={() => act({ do: 'close-details' })}
        />
      </header>
      <div className="stack details-body" tabIndex={0} role="group" aria-label="Card">
        <SurfaceContext value={{ kind: 'pane' }}>
          {error ? <Failure error={error} /> : null}
          {!error && entity ? <Entity entity={entity} embed={pane.embed} /> : null}
          {!error && !entity ? <p className="shell-note">Loading…</p> : null}
        </SurfaceContext>
      </div>
    </aside>
  );
}

function Failure({ error }: { error: JsonObject }) {
  return (
    <div className="stack" role="alert">
      <h3>{asText(error.custom_title) || 'Slack couldn’t show this'}</h3>
      <p>{asText(error.custom_message) || asText(error.status)}</p>
      <Actions primary={objectsOf(error.actions)} />
    </div>
  );
}

function Entity({ entity, embed }: { entity: JsonObject; embed: Pane['embed'] }) {
  const { title, type, id, fields } = entityShown(entity);
  const facts = fields.filter(({ image, link }) => !image && !link);
  return (
    <>
      <p className="faint">
        {type} · {id}
      </p>
      <h3 className="details-title">{title}</h3>
      <Facts fields={facts} />
      <Embed embed={embed} title={title} />
      <Gallery fields={fields} />
      <EntityActions entity={entity} />
    </>
  );
}

/** Scripts and the page's own origin are withheld, as in Slack. */
function Embed({ embed, title }: { embed: Pane['embed']; title: string }) {
  const { snapshot } = useSlack();
  if (!embed) return null;
  if ('problem' in embed) return <Alert>{embed.problem}</Alert>;
  const src = `/embed?as=${encodeURIComponent(snapshot.me)}`;
  return (
    <iframe className="embed" title={`Images of ${title}`} sandbox="allow-scripts" src={src} />
  );
}

function Gallery({ fields }: { fields: FieldShown[] }) {
  const files = fields.filter(({ image, link }) => image ?? link);
  if (files.length === 0) return null;
  return (
    <ul className="gallery" aria-label="Files">
      {files.map(({ key, label, image, link }) => (
        <li key={key} className="stack">
          {image ? <SafeImage {...image} /> : null}
          {link ? <ExternalLink url={link}>{label}</ExternalLink> : <span>{label}</span>}
        </li>
      ))}
    </ul>
  );
}
