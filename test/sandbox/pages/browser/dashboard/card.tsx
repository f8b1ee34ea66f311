import { useState } from 'react';
import type { CardFileShown, CardShown } from '../../snapshots/dashboard-snapshot.ts';
import { Icon } from '../shell/icon.tsx';
import { CardEditor } from './card-editor.tsx';
import { CopyButton } from './copy-button.tsx';
import { useDashboard } from './dashboard-context.tsx';
import { RichLines } from './rich-lines.tsx';

export function Card({ card, close }: { card: CardShown; close: () => void }) {
  const { snapshot, act } = useDashboard();
  const [editing, setEditing] = useState(false);
  const { id, title, status, facts, description, textCopy, sent, url } = card;
  return (
    <article className="card" aria-labelledby="card-title">
      <header className="card-header">
        <button
          type="button"
          className="icon-button card-back"
          aria-label="Back to cards"
          onClick={close}
        >
          <Icon name="back" />
        </button>
        <h2 id="card-title">{title}</h2>
        <span className="card-id">{id}</span>
      </header>
      <div className="card-tools">
        <label>
          <span className="visually-hidden">Status</span>
          <span
            className="status-dot"
            style={{ backgroundColor: status.color }}
            aria-hidden="true"
          />
          <select
            value={status.id}
            onChange={({ target }) => act({ do: 'set-status', cardId: id, statusId: target.value })}
          >
            {snapshot.statuses.map((one) => (
              <option key={one.id} value={one.id}>
                {one.name}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          className="button"
          onClick={() => act({ do: 'add-file', cardId: id, name: nextVersion(card) })}
        >
          Add finished picture
        </button>
        <button type="button" className="button" onClick={() => setEditing(!editing)}>
          {editing ? 'Cancel' : 'Edit'}
        </button>
        <CopyButton text={url} name="Copy link" label="Copy link" />
      </div>
      {editing ? (
        <CardEditor card={card} done={() => setEditing(false)} />
      ) : (
        <>
          <CardFiles files={card.files} />
          <section className="card-text" aria-label="Description">
            <h3>Description</h3>
            {description.length > 0 ? <RichLines lines={description} /> : <p>—</p>}
          </section>
          {textCopy.length > 0 ? (
            <section className="card-text" aria-label="Text copy">
              <h3>Text copy</h3>
              <RichLines lines={textCopy} />
            </section>
          ) : null}
          <dl className="facts">
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{value}</dd>
              </div>
            ))}
          </dl>
          {sent === undefined ? null : (
            <details className="sent">
              <summary>Sent with POST /card</summary>
              <pre>{JSON.stringify(sent, undefined, 2)}</pre>
            </details>
          )}
        </>
      )}
    </article>
  );
}

/** The name of the next picture: `spring-banner-v3.png`. */
function nextVersion({ title, files }: CardShown): string {
  const name = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
  const made = files.filter(({ picture, type }) => picture && type === 'design').length;
  return `${name || 'design'}-v${made + 1}.png`;
}

/** A card's files: pictures as pictures, everything else by name. */
export function CardFiles({ files }: { files: CardFileShown[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="files" aria-label="Files">
      {files.map(({ id, name, type, download, picture, address }) => (
        <li key={id}>
          <a href={address} target="_blank" rel="noreferrer">
            {picture ? (
              <img src={picture} alt="" width="160" height="90" loading="lazy" />
            ) : (
              <span className="file-kind" aria-hidden="true">
                {name.split('.').at(-1)}
              </span>
            )}
            <span className="file-name">{name}</span>
          </a>
          <small>{download ? `${type} · ${download}` : type}</small>
        </li>
      ))}
    </ul>
  );
}
