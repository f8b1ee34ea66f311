import type { StatusShown } from '../../protocol/dashboard.ts';

/** A status with its color, readable on any background. */
export function StatusPill({ status: { name, color } }: { status: StatusShown }) {
  return (
    <span className="status-pill">
      <span className="status-dot" style={{ backgroundColor: color }} aria-hidden="true" />
      {name}
    </span>
  );
}
