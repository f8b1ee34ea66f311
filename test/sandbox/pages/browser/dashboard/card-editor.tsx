import { type FormEvent, useId, useState } from 'react';
import type { CardShown } from '../../snapshots/dashboard-snapshot.ts';
import { useDashboard } from './dashboard-context.tsx';

export function CardEditor({ card, done }: { card: CardShown; done: () => void }) {
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
    <form className="card-editor" onSubmit={save}>
      <Line name="title" label="Title" value={card.title} />
      <Lines
        name="descriptionHtml"
        label="Description, as HTML"
        value={card.descriptionHtml}
        rows={7}
      />
      <Lines name="dimensions" label="Dimensions" value={card.dimensions} rows={3} />
      <Line name="labels" label="Labels, separated by commas" value={card.labels.join(', ')} />
      <Line name="tags" label="Tags, separated by commas" value={card.tags.join(', ')} />
      <Line name="dueDate" label="Due" value={card.dueDate} type="date" />
      {problem ? (
        <p className="field-error" role="alert">
          {problem}
        </p>
      ) : null}
      <button type="submit" className="button primary">
        Save
      </button>
    </form>
  );
}

type Props = { name: string; label: string; value: string };

function Line({ name, label, value, type = 'text' }: Props & { type?: string }) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <input className="input" id={id} name={name} type={type} defaultValue={value} />
    </div>
  );
}

function Lines({ name, label, value, rows }: Props & { rows: number }) {
  const id = useId();
  return (
    <div className="field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      <textarea className="input" id={id} name={name} rows={rows} defaultValue={value} />
    </div>
  );
}
