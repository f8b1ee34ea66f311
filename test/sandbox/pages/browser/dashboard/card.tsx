import { type FormEvent, useId, useState } from 'react';
import type { Line, Span } from '../../../../../src/slack/text/html-lines.ts';
import type { CardFileShown, CardShown } from '../../snapshots/dashboard-snapshot.ts';
import { Alert } from '../shell/alert.tsx';
import { Button } from '../shell/button.tsx';
import { IconButton } from '../shell/icon.tsx';
import { ExternalLink } from '../text/external-link.tsx';
import { keyed } from '../text/mrkdwn-text.tsx';
import { Styled } from '../text/styled.tsx';
import { CopyButton } from './copy-button.tsx';
import { useDashboard } from './dashboard-context.tsx';

/** The service's HTML as read by the app: lines of text, never markup. */
function RichLines({ lines }: { lines: Line[] }) {
  return keyed(lines).map(([key, line]) =>
    line.quoted ? (
      <blockquote key={key}>
        <RichLine line={line} />
      </blockquote>
    ) : (
      <RichLine key={key} line={line} />
    ),
  );
}

function RichLine({ line: { lead, spans } }: { line: Line }) {
  return (
    <p>
      {lead}
      {keyed(spans).map(([key, span]) => (
        <Piece key={key} span={span} />
      ))}
    </p>
  );
}

function Piece({ span: { text, marks, href } }: { span: Span }) {
  const styles = {
    code: marks.includes('`'),
    bold: marks.includes('*'),
    italic: marks.includes('_'),
    strike: marks.includes('~'),
  };
  const shown = <Styled styles={styles}>{text}</Styled>;
  return href ? <ExternalLink url={href}>{shown}</ExternalLink> : shown;
}

function CardEditor({ card, done }: { card: CardShown; done: () => void }) {
  const { act } = useDashboard();
  const [problem, setProblem] = useState<string>();

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const text = (name: string) => String(form.get(name) ?? '');
    const list = (name: string) =>
      text(name)
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean);
    try {
      await act({
        do: 'edit',
        cardId: card.id,
        title: text('title'),
        descriptionHtml: text('descriptionHtml'),
        dimensions: text('dimensions'),
        labels: list('labels'),
        tags: list('tags'),
        dueDate: text('dueDate'),
      });
      done();
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  }

  return (
    <form className="stack card-editor" onSubmit={save}>
      <TextField name="title" label="Title" value={card.title} />
      <TextField
        name="descriptionHtml"
        label="Description, as HTML"
        value={card.descriptionHtml}
        rows={7}
      />
      <TextField name="dimensions" label="Dimensions" value={card.dimensions} rows={3} />
      <TextField name="labels" label="Labels, separated by commas" value={card.labels.join(', ')} />
      <TextField name="tags" label="Tags, separated by commas" value={card.tags.join(', ')} />
      <TextField name="dueDate" label="Due" value={card.dueDate} type="date" />
      <Alert className="field-error">{problem}</Alert>
      <button type="submit" className="button primary">
        Save
      </button>
    </form>
  );
}

type Props = { name: string; label: string; value: string; type?: string; rows?: number };

function TextField({ name, label, value, type = 'text', rows }: Props) {
  const id = useId();
  const shared = { className: 'input', id, name, defaultValue: value };
  return (
    <div className="stack field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {rows ? <textarea {...shared} rows={rows} /> : <input {...shared} type={type} />}
    </div>
  );
}

export function Card({ card, close }: { card: CardShown; close: () => void }) {
  const { snapshot, act } = useDashboard();
  const [editing, setEditing] = useState(false);
  const { id, title, status, facts, description, textCopy, sent, url } = card;
  return (
    <article className="stack card" aria-labelledby="card-title">
      <header className="row card-header">
        <IconButton icon="back" className="card-back" label="Back to cards" onClick={close} />
        <h2 id="card-title">{title}</h2>
        <span className="faint">{id}</span>
      </header>
      <div className="wrap">
        <label>
          <span className="visually-hidden">Status</span>
          <span className="status-dot" style={{ backgroundColor: status.color }} />
          <select
            className="button"
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
        <Button onClick={() => act({ do: 'add-file', cardId: id, name: nextVersion(card) })}>
          Add finished picture
        </Button>
        <Button onClick={() => setEditing(!editing)}>{editing ? 'Cancel' : 'Edit'}</Button>
        <CopyButton text={url} name="Copy link" label="Copy link" />
      </div>
      {editing ? (
        <CardEditor card={card} done={() => setEditing(false)} />
      ) : (
        <>
          <CardFiles files={card.files} />
          <section className="stack card-text" aria-label="Description">
            <h3>Description</h3>
            {description.length > 0 ? <RichLines lines={description} /> : <p>—</p>}
          </section>
          {textCopy.length > 0 ? (
            <section className="stack card-text" aria-label="Text copy">
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
            <details>
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

function CardFiles({ files }: { files: CardFileShown[] }) {
  if (files.length === 0) return null;
  return (
    <ul className="wrap files" aria-label="Files">
      {files.map(({ id, name, type, download, picture, address }) => (
        <li key={id}>
          <a className="stack" href={address} target="_blank" rel="noreferrer">
            {picture ? (
              <img src={picture} alt="" width="160" height="90" loading="lazy" />
            ) : (
              <span className="file-kind">{name.split('.').at(-1)}</span>
            )}
            <span className="clip">{name}</span>
          </a>
          <small className="soft">{download ? `${type} · ${download}` : type}</small>
        </li>
      ))}
    </ul>
  );
}
