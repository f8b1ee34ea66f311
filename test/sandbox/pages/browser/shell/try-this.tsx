import { useEffect, useState } from 'react';
import type { FrameShown, TourStep } from '../../frame.ts';
import { compose } from './compose.ts';

type Step = {
  step: TourStep;
  name: string;
  how: string;
  /** What the message box gets, for those who don't want to type it. */
  typed?: (tour: FrameShown['tour']) => string | undefined;
  /** Who does it, if it isn't everybody's. */
  by?: 'admin';
};

const STEPS: Step[] = [
  {
    step: 'request',
    name: 'Request a design',
    how: 'Type /design-request in Slack, press Enter, fill in the form, and send it.',
    typed: () => '/design-request Spring banner',
  },
  {
    step: 'link',
    name: 'Share its link',
    how: 'Post the link of the new card in a channel. It becomes a preview.',
    typed: ({ cardUrl }) => cardUrl,
  },
  {
    step: 'deliver',
    name: 'Deliver it',
    how: 'In the Dashboard, add a picture to the card and set Done. Press Refresh, and watch the thread.',
  },
  {
    step: 'fault',
    name: 'Break the service',
    how: 'Press Dropped in the Dashboard, and send another request. Nothing is lost or sent twice.',
  },
  {
    step: 'freeze',
    name: 'Freeze the app',
    how: 'Press Freeze app, type the command in the composer, and watch Slack wait. Then press Resume app.',
    typed: () => '/design-request',
  },
  {
    step: 'key',
    name: 'Replace the API key',
    how: 'In the Dashboard, press New key and copy it. As Ada, an admin, type /design-request connect.',
    typed: () => '/design-request connect',
    by: 'admin',
  },
];

/** A phone has no room for it: there it opens on request. */
const HAS_ROOM = '(width > 720px) and (height > 560px)';

/** What a newcomer can try, ticked off once it has been tried. */
export function TryThis({ tour, canType }: { tour: FrameShown['tour']; canType: boolean }) {
  const [open, setOpen] = useState(() => matchMedia(HAS_ROOM).matches);
  const next = STEPS.find(({ step }) => !tour.done.includes(step));
  const isAllDone = next === undefined;
  useEffect(() => {
    if (isAllDone) setOpen(false);
  }, [isAllDone]);
  const isAdmin = new URLSearchParams(location.search).get('as') === tour.adminId;
  return (
    <section className="try-this" aria-label="Try this">
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <strong>Try this</strong>{' '}
          <span>
            {tour.done.length} of {STEPS.length} done
          </span>
          {next ? `. Next: ${next.name}` : '. You’ve seen it all.'}
        </summary>
        <ol>
          {STEPS.map((step) => (
            <StepShown
              key={step.step}
              step={step}
              isNext={step === next}
              tour={tour}
              canType={canType}
              isAdmin={isAdmin}
            />
          ))}
        </ol>
      </details>
    </section>
  );
}

type StepProps = {
  step: Step;
  isNext: boolean;
  tour: FrameShown['tour'];
  canType: boolean;
  isAdmin: boolean;
};

function StepShown(props: StepProps) {
  const { step, isNext, tour } = props;
  const isDone = tour.done.includes(step.step);
  return (
    <li data-done={isDone || undefined} data-next={isNext || undefined}>
      <strong>
        {step.name}
        {isDone ? <span className="visually-hidden">: done</span> : null}
      </strong>
      <span>{step.how}</span>
      {isDone ? null : <StepButton {...props} />}
    </li>
  );
}

/** Switches to who can do the step, or types what it needs. */
function StepButton({ step: { typed, by }, isNext, tour, canType, isAdmin }: StepProps) {
  const isMine = by === undefined || (canType && isAdmin);
  const text = canType && (isNext || by !== undefined) ? typed?.(tour) : undefined;
  if (isMine && !text) return null;
  return (
    <button
      type="button"
      className="try-type"
      onClick={() => (isMine ? compose(text ?? '') : location.assign(`/?as=${tour.adminId}`))}
    >
      {isMine ? 'Type it for me' : 'Switch to Ada'}
    </button>
  );
}
