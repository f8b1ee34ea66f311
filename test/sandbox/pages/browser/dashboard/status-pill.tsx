import type { CardRow } from '../../snapshots/dashboard-snapshot.ts';

/** A status with its color, readable on any background. */
export function StatusPill({ status: { name, color } }: Pick<CardRow, 'status'>) {
  return (
    <span className="status-pill">
      <span className="status-dot" style={{ backgroundColor: color }} aria-hidden="true" />
      {name}
    </span>
  );
}
