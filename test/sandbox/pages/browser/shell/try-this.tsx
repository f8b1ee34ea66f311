import { useState } from 'react';
import type { FrameShown, TourStep } from '../../protocol/frame.ts';
import { compose } from './compose.ts';

type Step = {
  step: TourStep;
  name: string;
  how: string;
  /** What the message box gets, for those who don't want to type it. */
  typed?: (tour: FrameShown['tour']) => string | undefined;
};

const STEPS: Step[] = [
  {
    step: 'request',
    name: 'Request a design',
    how: 'Type /design-request below, press Enter, fill in the form, and send it.',
    typed: () => '/design-request Spring banner',
  },
  {
    step: 'link',
    name: 'Share its link',
    how: 'Post the link of the new card in a channel. It becomes a preview.',
    typed: ({ cardUrl }) => cardUrl,
  },
  {
    step: 'fault',
    name: 'Break the service',
    how: 'Press Dropped in the Dashboard, and send another request. Nothing is lost or sent twice.',
  },
  {
    step: 'freeze',
    name: 'Freeze the app',
    how: 'Press Freeze app, send something, and watch Slack wait. Then press Resume app.',
  },
  {
    step: 'key',
    name: 'Replace the API key',
    how: 'Get a new key in the Dashboard. As Ada, type /design-request connect. Requests that waited go out.',
  },
];

/** A phone has no room for it: there it opens on request. */
const HAS_ROOM = '(width > 720px) and (height > 560px)';

/** What a newcomer can try, ticked off once it has been tried. */
export function TryThis({ tour, canType }: { tour: FrameShown['tour']; canType: boolean }) {
  const [open, setOpen] = useState(() => matchMedia(HAS_ROOM).matches);
  const next = STEPS.find(({ step }) => !tour.done.includes(step));
  return (
    <section className="try-this" aria-label="Try this">
      <details open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          <strong>Try this</strong>
          <span className="try-progress">
            {tour.done.length} of {STEPS.length} done
          </span>
          {next ? (
            <span className="try-next">Next: {next.name}</span>
          ) : (
            <span className="try-next">You’ve seen it all.</span>
          )}
        </summary>
        <ol>
          {STEPS.map(({ step, name, how, typed }, index) => {
            const isDone = tour.done.includes(step);
            const text = canType && !isDone ? typed?.(tour) : undefined;
            return (
              <li
                key={step}
                data-done={isDone || undefined}
                data-next={step === next?.step || undefined}
              >
                <span className="try-mark" aria-hidden="true">
                  {isDone ? '✓' : index + 1}
                </span>
                <div>
                  <strong>
                    {name}
                    {isDone ? <span className="visually-hidden">: done</span> : null}
                  </strong>
                  <span>{how}</span>
                  {text ? (
                    <button type="button" className="try-type" onClick={() => compose(text)}>
                      Type it for me
                    </button>
                  ) : null}
                </div>
              </li>
            );
          })}
        </ol>
      </details>
    </section>
  );
}
