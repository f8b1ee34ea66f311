import {
  type ChangeEvent,
  type FormEvent,
  useCallback,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { WorkspaceSnapshot } from '../../snapshots/workspace-snapshot.ts';
import { Button } from '../shell/button.tsx';
import { useFocusBack } from '../shell/frame.tsx';
import { IconButton } from '../shell/icon.tsx';
import { ExternalLink } from '../text/external-link.tsx';
import { useSlack } from './slack-context.ts';

/** What the step asks for; a workflow would fill some of it in from a form or another step. */
const INPUTS: Input[] = [
  { name: 'title', label: 'Title', value: 'Banner of the week' },
  { name: 'request_type', label: 'Request type', isMenu: true },
  { name: 'product', label: 'Product', isMenu: true, needs: 'request_type' },
  {
    name: 'description',
    label: 'Description',
    value: 'A banner for Monday’s newsletter.',
    isLong: true,
  },
  { name: 'brand', label: 'Brand (optional)', isMenu: true },
  { name: 'sizes', label: 'Sizes', value: 'Banner: 1200 × 628 px' },
  { name: 'software', label: 'Software', value: 'Figma' },
  { name: 'formats', label: 'File formats', value: 'PNG' },
  { name: 'needed_by', label: 'Needed by (optional)', type: 'date' },
  { name: 'references', label: 'References, one per line (optional)', isLong: true },
  { name: 'draft', label: 'Save as draft', type: 'checkbox' },
];

type Input = {
  name: string;
  label: string;
  value?: string;
  isMenu?: true;
  isLong?: true;
  needs?: string;
  type?: 'date' | 'checkbox';
};
type Run = NonNullable<WorkspaceSnapshot['workflowRuns']>[number];
type Values = Record<string, string>;

/** A workflow with the app’s step: its inputs, as in Workflow Builder, and its runs. */
export function WorkflowDialog({ runs, close }: { runs: Run[]; close: () => void }) {
  const { act, snapshot } = useSlack();
  const dialog = useRef<HTMLDialogElement>(null);
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(INPUTS.map((input) => [input.name, input.value ?? ''])),
  );
  const set = useCallback(
    (name: string, value: string) => setValues((all) => ({ ...all, [name]: value })),
    [],
  );
  const me = snapshot.people.find(({ id }) => id === snapshot.me);
  const ranBelow = useRef<HTMLElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  // The newest run is below what was filled in.
  const newest = runs[0] && `${runs[0].id} ${runs[0].state}`;
  useEffect(() => {
    if (newest) ranBelow.current?.scrollIntoView({ block: 'nearest' });
  }, [newest]);
  useFocusBack();

  async function run(event: FormEvent) {
    event.preventDefault();
    await act({ do: 'run-step', inputs: { ...values, draft: values.draft === 'on' } });
  }
  return (
    <dialog ref={dialog} className="modal" aria-labelledby="workflow-title" onClose={close}>
      <form className="modal-form" noValidate onSubmit={run}>
        <header className="row modal-header">
          <h2 id="workflow-title">Workflow: Create a design request</h2>
          <IconButton icon="cross" label="Close" onClick={close} />
        </header>
        <div className="stack modal-body workflow-fields">
          <p className="hint">
            This is the step as Workflow Builder shows it. Its menus come from the app. Requested by{' '}
            {me?.name}, who runs the workflow.
          </p>
          {INPUTS.map((input) => (
            <StepInput key={input.name} input={input} values={values} set={set} />
          ))}
          {runs.length > 0 ? (
            <section aria-label="Runs" ref={ranBelow}>
              <h3>Runs</h3>
              <ul className="stack workflow-runs" aria-live="polite">
                {runs.map((one) => (
                  <li key={one.id} data-state={one.state}>
                    <strong>{one.title || '(no title)'}</strong> <Outcome run={one} />
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

function Outcome({ run: { state, cardUrl, error } }: { run: Run }) {
  if (state === 'running') return <>is running. It continues once the card exists.</>;
  if (state === 'failed') return <>failed: {error}</>;
  return (
    <>
      created <ExternalLink url={cardUrl}>{cardUrl}</ExternalLink>
    </>
  );
}

type InputProps = { input: Input; values: Values; set: (name: string, value: string) => void };

function StepInput(props: InputProps) {
  const { input, values, set } = props;
  const { name, label, isMenu, isLong, type = 'text' } = input;
  const id = useId();
  const filled = {
    id,
    className: 'input',
    value: values[name] ?? '',
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
      set(name, target.value),
  };
  if (type === 'checkbox') {
    return (
      <label className="row choice">
        <input
          type="checkbox"
          checked={values[name] === 'on'}
          onChange={({ target }) => set(name, target.checked ? 'on' : '')}
        />
        {label}
      </label>
    );
  }
  return (
    <div className="stack field">
      <label className="label" htmlFor={id}>
        {label}
      </label>
      {isMenu ? <StepMenu id={id} {...props} /> : null}
      {isLong ? <textarea rows={2} {...filled} /> : null}
      {isMenu || isLong ? null : <input type={type} {...filled} />}
    </div>
  );
}

function StepMenu(props: InputProps & { id: string }) {
  const { id, input, values, set } = props;
  const { name, needs } = input;
  const { act } = useSlack();
  const [listed, setListed] = useState<{
    options: { value: string; text: string }[];
    error: string;
  }>();
  const given = needs === undefined ? '' : (values[needs] ?? '');
  const asking = useRef(act);
  asking.current = act;
  const held = useRef(values[name]);
  held.current = values[name];

  const load = useCallback(async () => {
    setListed(undefined);
    const inputs: Values = needs === undefined || given === '' ? {} : { [needs]: given };
    const { options = [], optionsError = '' } = await asking.current({
      do: 'step-options',
      input: name,
      inputs,
    });
    setListed({ options, error: optionsError });
    // What can't be seen in the menu must not be sent.
    if (!options.some(({ value }) => value === held.current)) set(name, '');
  }, [name, needs, given, set]);
  useEffect(() => {
    load().catch(() => undefined);
  }, [load]);

  return (
    <>
      <select
        id={id}
        className="input"
        value={values[name]}
        onChange={({ target }) => set(name, target.value)}
      >
        <option value="">{listed ? 'Choose an option' : 'Loading…'}</option>
        {listed?.options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
      {listed?.error ? (
        <p className="field-error" role="alert">
          {listed.error}{' '}
          <Button className="small" onClick={load}>
            Open again
          </Button>
        </p>
      ) : null}
    </>
  );
}
