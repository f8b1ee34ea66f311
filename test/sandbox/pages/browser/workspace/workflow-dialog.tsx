import { type FormEvent, useCallback, useEffect, useId, useRef, useState } from 'react';
import { asText } from '../../../../stand-ins/slack/json.ts';
import type { ActResult } from '../../acts/workspace-acts.ts';
import type { WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';
import { Button } from '../shell/button.tsx';
import { useFocusBack } from '../shell/frame.tsx';
import { IconButton } from '../shell/icon.tsx';
import { ExternalLink } from '../text/external-link.tsx';
import { useSlack } from './slack-context.ts';

/** What a form or another step of the workflow would fill in. */
const FILLED_IN: Values = {
  title: 'Banner of the week',
  description: 'A banner for Monday’s newsletter.',
  sizes: 'Banner: 1200 × 628 px',
  software: 'Figma',
  formats: 'PNG',
};

type Step = NonNullable<WorkspaceSnapshot['step']>;
type Input = Step['inputs'][string];
type Run = Step['runs'][number];
type Values = Record<string, string>;

const valuesIn = (form: HTMLFormElement) => Object.fromEntries(new FormData(form)) as Values;

/** A workflow with the app’s step: its inputs, as in Workflow Builder, and its runs. */
export function WorkflowDialog({ step, close }: { step: Step; close: () => void }) {
  const { act, snapshot } = useSlack();
  const { inputs, runs } = step;
  const dialog = useRef<HTMLDialogElement>(null);
  const [values, setValues] = useState(FILLED_IN);
  const me = snapshot.people.find(({ id }) => id === snapshot.me);
  const ranBelow = useRef<HTMLElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // The newest run is below what was filled in.
  const newest = runs[0] && `${runs[0].id} ${runs[0].state}`;
  useEffect(() => {
    if (newest) ranBelow.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);
  useFocusBack();

  async function run(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { draft, ...texts } = valuesIn(event.currentTarget);
    await act({ do: 'run-step', inputs: { ...texts, draft: draft === 'on' } });
  }
  return (
    <dialog ref={dialog} className="modal" aria-labelledby="workflow-title" onClose={close}>
      <form
        className="modal-form"
        noValidate
        onSubmit={run}
        onChange={({ currentTarget }) => setValues(valuesIn(currentTarget))}
      >
        <header className="row modal-header">
          <h2 id="workflow-title">Workflow: Create a design request</h2>
          <IconButton icon="cross" label="Close" onClick={close} />
        </header>
        <div className="stack modal-body workflow-fields">
          <p className="hint">
            This is the step as Workflow Builder shows it. Its menus come from the app. Requested by{' '}
            {me?.realName}, who runs the workflow.
          </p>
          {Object.entries(inputs)
            .filter(([, { type }]) => type !== 'slack#/types/user_id')
            .map(([name, input]) => (
              <StepInput key={name} name={name} input={input} values={values} />
            ))}
          {runs.length > 0 ? (
            <section aria-label="Runs" ref={ranBelow}>
              <h3>Runs</h3>
              <ul className="stack workflow-runs" aria-live="polite">
                {runs.map((one) => (
                  <li key={one.id} data-state={one.state}>
                    <strong>{asText(one.inputs.title) || '(no title)'}</strong>{' '}
                    <Outcome run={one} />
                  </li>
                ))}
              </ul>
            </section>
          ) : null}
        </div>
        <footer className="row modal-footer">
          <Button onClick={close}>Close</Button>
          <button type="submit" className="button primary">
            Run workflow
          </button>
        </footer>
      </form>
    </dialog>
  );
}

function Outcome({ run: { state, outputs, error } }: { run: Run }) {
  const cardUrl = asText(outputs.card_link);
  if (state === 'running') return <>is running. It continues once the card exists.</>;
  if (state === 'failed') return <>failed: {error}</>;
  return (
    <>
      created <ExternalLink url={cardUrl}>{cardUrl}</ExternalLink>
    </>
  );
}

const FROM_INPUT = /^\{\{input_parameters\.(\w+)\}\}$/;

function StepInput(props: { name: string; input: Input; values: Values }) {
  const { name, input, values } = props;
  const { title, type, is_required, dynamic_options } = input;
  const id = useId();
  if (type === 'boolean') {
    return (
      <label className="row choice">
        <input type="checkbox" name={name} />
        {title}
      </label>
    );
  }
  const filled = { id, name, className: 'input' };
  // The options of a menu may depend on other inputs.
  const needs = Object.values(dynamic_options?.inputs ?? {}).flatMap(
    ({ value }) => FROM_INPUT.exec(value)?.[1] ?? [],
  );
  const given = needs.flatMap((need) => (values[need] ? [[need, values[need]]] : []));
  const asked = JSON.stringify(Object.fromEntries(given));
  return (
    <div className="stack field">
      <label className="label" htmlFor={id}>
        {title}
        {is_required ? '' : ' (optional)'}
      </label>
      {dynamic_options ? (
        <StepMenu key={asked} {...filled} asked={asked} />
      ) : type === 'slack#/types/date' ? (
        <input type="date" {...filled} />
      ) : (
        <textarea rows={2} {...filled} defaultValue={FILLED_IN[name]} />
      )}
    </div>
  );
}

/** @param props.asked the inputs on which the options depend, as JSON */
function StepMenu(props: { id: string; name: string; className: string; asked: string }) {
  const { asked, ...filled } = props;
  const { name } = filled;
  const { act } = useSlack();
  const [listed, setListed] = useState<ActResult>();
  const load = useCallback(async () => {
    setListed(undefined);
    setListed(await act({ do: 'step-options', input: name, inputs: JSON.parse(asked) }));
  }, [act, name, asked]);
  useEffect(() => {
    load().catch(() => undefined);
  }, [load]);
  return (
    <>
      <select {...filled}>
        <option value="">{listed ? 'Choose an option' : 'Loading…'}</option>
        {listed?.options?.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {listed?.optionsError ? (
        <p className="field-error" role="alert">
          {listed.optionsError} <Button onClick={load}>Open again</Button>
        </p>
      ) : null}
    </>
  );
}
