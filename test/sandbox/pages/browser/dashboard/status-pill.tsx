import type { StatusShown } from '../../protocol/dashboard.ts';

/** A status with its colour, which stays readable on every ground. */
export function StatusPill({ status: { name, color } }: { status: StatusShown }) {
  return (
    <span className="status-pill">
      <span className="status-dot" style={{ backgroundColor: color }} aria-hidden="true" />
      {name}
    </span>
  );
}
