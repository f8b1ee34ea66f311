import type { CardRow } from '../../protocol/dashboard.ts';
import { useDashboard } from './dashboard-context.tsx';
import { StatusPill } from './status-pill.tsx';

/** All cards, the latest change first. */
export function CardList(props: {
  openId: string | undefined;
  open: (id: string | undefined) => void;
}) {
  const { openId, open } = props;
  const { cards } = useDashboard().snapshot;
  return (
    <section className="card-list" aria-labelledby="cards-title">
      <h2 id="cards-title">
        Cards <span className="count">{cards.length}</span>
      </h2>
      <ul>
        {cards.map((card) => (
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
