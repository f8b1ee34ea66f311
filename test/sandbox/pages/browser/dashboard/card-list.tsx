import { useState } from 'react';
import type { CardRow } from '../../snapshots/dashboard-snapshot.ts';
import { useDashboard } from './dashboard-context.tsx';

/** All cards, the latest change first. */
export function CardList(props: {
  openId: string | undefined;
  open: (id: string | undefined) => void;
}) {
  const { openId, open } = props;
  const { cards } = useDashboard().snapshot;
  const [query, setQuery] = useState('');
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = cards.filter(({ id, title, brand = '', status, words: more }) => {
    const text = `${id} ${title} ${brand} ${status.name} ${more}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <section className="card-list" aria-labelledby="cards-title">
      <h2 id="cards-title">
        Cards <span className="count">{cards.length}</span>
      </h2>
      <input
        type="search"
        className="input card-search"
        aria-label="Search cards"
        placeholder="Title, ID, or DR-…"
        value={query}
        onChange={({ target }) => setQuery(target.value)}
      />
      {found.length === 0 ? <p className="no-card">No card has these words.</p> : null}
      <ul>
        {found.map((card) => (
          <li key={card.id}>
            <CardLink card={card} isOpen={card.id === openId} open={() => open(card.id)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function CardLink({ card, isOpen, open }: { card: CardRow; isOpen: boolean; open: () => void }) {
  const { id, title, status, brand, picture } = card;
  return (
    <button
      type="button"
      className="card-link"
      aria-current={isOpen ? 'true' : undefined}
      onClick={open}
    >
      <span className="card-link-words">
        <strong>{title}</strong>
        <span className="card-link-facts">
          <StatusPill status={status} /> {[brand, id].filter(Boolean).join(' · ')}
        </span>
      </span>
      {picture ? <img src={picture} alt="" width="56" height="32" loading="lazy" /> : null}
    </button>
  );
}

/** A status with its color, readable on any background. */
export function StatusPill({ status: { name, color } }: Pick<CardRow, 'status'>) {
  return (
    <span className="status-pill">
      <span className="status-dot" style={{ backgroundColor: color }} aria-hidden="true" />
      {name}
    </span>
  );
}
