import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { Log } from '../../ops/logging.ts';
import type { FormDraft, RequestForm } from '../../requests/request.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import {
  type FormOptions,
  NO_OPTIONS,
  type ReferenceLists,
} from '../../service/cache/reference-lists.ts';
import { isTransient } from '../../service/errors.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { Transact } from '../../store/stores.ts';
import { FORM_FIELDS, TITLE_MAX } from '../request-form/fields.ts';
import { type FieldName, productsOf, readText, readTypedList } from '../request-form/form-field.ts';
import { asChoices, type Choice, choiceOf, isDigest } from '../request-form/options.ts';
import { checkDraft, type FieldProblems } from '../request-form/parse.ts';
import { interactionNamed, type PersonalEvent } from '../surface/interactions.ts';
import { PLAIN_TEXT_INPUT_MAX } from '../text/limits.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { wordsForServiceError } from '../words/errors.ts';
import { STEP_PROBLEMS } from '../words/workflow-step.ts';
import { requestIdOf, type StepRuns } from './finish-step.ts';

/** The functions that list the options of the step's menus, by callback ID in manifest.yml. */
export const STEP_OPTIONS = {
  types: 'list_request_types',
  brands: 'list_brands',
  products: 'list_products',
} as const;

/**
 * Whether Slack wants a function completed before its event is acknowledged
 * (docs.slack.dev/tools/bolt-js/concepts/custom-steps-dynamic-options).
 */
export const isSynchronous = (callbackId: string): boolean =>
  Object.values<string>(STEP_OPTIONS).includes(callbackId);

const chosen = z.object({ request_type: z.string() });

/** The workflow step that creates a request, and the options of its menus in Workflow Builder. */
export function createWorkflowStep(deps: {
  referenceLists: Pick<ReferenceLists, 'brands' | 'connectedFormOptions'>;
  requests: Pick<RequestStore, 'get'>;
  runs: StepRuns;
  transact: Transact;
  now: () => Date;
  log: Log;
}) {
  const { referenceLists, requests, runs, transact, now, log } = deps;
  const { connectedFormOptions } = referenceLists;

  /**
   * The service's lists, to name what was chosen. Without them the request is stored all the same, and
   * waits for the key or the service, unless a choice can't be read without them.
   *
   * @throws DesignApiError if it can't be read now, but may be later
   */
  async function optionsFor(workspaceId: WorkspaceId, inputs: Record<string, unknown>) {
    try {
      return await connectedFormOptions(workspaceId);
    } catch (error) {
      // Rethrows what isn't about the service.
      wordsForServiceError(error);
      const needsLists = Object.values(inputs).some((value) => isDigest(String(value)));
      if (needsLists && isTransient(error)) throw error;
      log.info({ err: error, workspace: workspaceId }, 'a workflow step goes on without lists');
      return undefined;
    }
  }

  return {
    /**
     * Creates a request for a run of the step, in the same way as the form. Its event is a job, so it
     * may be handled again, after a crash or because Slack repeated it: the request's ID follows from
     * the run, and a request that exists is left alone, whatever became of it since.
     */
    async onRun({ client, workspaceId, userId, body }: Step): Promise<void> {
      const { function_execution_id: executionId, inputs } = body.event;
      const formId = requestIdOf(workspaceId, executionId);
      const existing = await requests.get(workspaceId, formId);
      if (existing) return runs.finish(client, existing);

      const options = await optionsFor(workspaceId, inputs);
      const read = readInputs(inputs, options, now());
      if ('problem' in read) return runs.fail({ client, executionId }, read.problem);
      const submission = {
        formId,
        workspaceId,
        userId,
        form: read.form,
        // Of two processes that handle the same run at once, one submits.
        interaction: interactionNamed(workspaceId, formId),
      };
      await submitRequest({ transact, now }, submission);
    },

    listTypes: async ({ workspaceId }: Step): Promise<Choices> =>
      (await connectedFormOptions(workspaceId)).requestTypes,

    async listBrands({ workspaceId }: Step): Promise<Choices> {
      const { brands } = await connectedFormOptions(workspaceId);
      return brands ?? referenceLists.brands(workspaceId);
    },

    /** The products of the request type that is chosen in the step; all products without one. */
    async listProducts({ workspaceId, body }: Step): Promise<Choices> {
      const options = await connectedFormOptions(workspaceId);
      const value = chosen.safeParse(body.event.inputs).data?.request_type;
      const requestType = value === undefined ? undefined : choiceOf(options.requestTypes, value);
      return asChoices(productsOf({ options, draft: { requestType } }));
    },
  };
}

type Step = PersonalEvent<'function_executed'>;
type Choices = readonly Choice[];

/** The form's field for each of the step's inputs, which are declared in manifest.yml. */
export const STEP_FIELDS = {
  title: 'title',
  request_type: 'requestType',
  product: 'product',
  description: 'description',
  brand: 'brand',
  sizes: 'dimensions',
  software: 'software',
  formats: 'formats',
  needed_by: 'neededBy',
  references: 'references',
  wording: 'textCopy',
  draft: 'isDraft',
  post_in: 'shareIn',
} as const satisfies Record<string, FieldName>;

type InputName = keyof typeof STEP_FIELDS;

/** In characters. A description must fit into a form again, if it has to be fixed. */
const LONGEST: Partial<Record<InputName, number>> = { title: TITLE_MAX, description: 12_000 };

/**
 * Reads the step's inputs, which may have any shape: a workflow may fill them in from another app's step. Without the
 * service's lists (`options`), choices are accepted as they are, since the service has the last word.
 */
function readInputs(
  inputs: Record<string, unknown>,
  options: FormOptions | undefined,
  now: Date,
): { form: RequestForm } | { problem: string } {
  const found: FieldProblems = {};
  const text = (name: InputName): string | undefined => {
    const value = inputs[name] ?? '';
    const max = LONGEST[name] ?? PLAIN_TEXT_INPUT_MAX;
    if (typeof value !== 'string') found[STEP_FIELDS[name]] = STEP_PROBLEMS.notText;
    else if (value.length > max) found[STEP_FIELDS[name]] = STEP_PROBLEMS.tooLong(max);
    return readText(String(value));
  };
  const richText = (name: InputName) => {
    const typed = text(name);
    return typed === undefined ? undefined : plainTextToRichText(typed);
  };
  /** The listed item that was chosen, or typed by name. */
  const listed = (name: InputName, items: readonly Choice[] | undefined): Choice | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    const item = items && (choiceOf(items, value) ?? items.find((one) => one.name === value));
    if (items && !item) found[STEP_FIELDS[name]] = STEP_PROBLEMS.notOffered;
    return item ? { id: item.id, name: item.name } : { id: value, name: value };
  };

  const lists = options ?? NO_OPTIONS;
  const requestType = listed('request_type', options?.requestTypes);
  const products = productsOf({ options: lists, draft: { requestType } });
  const draft: FormDraft = {
    title: text('title'),
    requestType,
    product: listed('product', options && asChoices(products))?.id,
    description: richText('description'),
    brand: listed('brand', options?.brands),
    dimensions: text('sizes'),
    software: text('software'),
    formats: readTypedList(text('formats')),
    neededBy: text('needed_by'),
    references: text('references'),
    textCopy: richText('wording'),
    // Work starts on anything else, so what is unclear is a draft.
    isDraft: Boolean(inputs.draft) && inputs.draft !== 'false',
    shareIn: text('post_in'),
  };
  // Posting to a person would be a direct message that nobody asked for.
  if (draft.shareIn && !CHANNEL_ID.test(draft.shareIn)) found.shareIn = STEP_PROBLEMS.notAChannel;
  const checked = checkDraft(draft, { options: lists }, { now, found });
  if ('form' in checked) return checked;
  const [problem = ''] = FORM_FIELDS.flatMap(({ name, label, missing }) => {
    const why = checked.problems[name];
    if (why === undefined) return [];
    return why === missing ? STEP_PROBLEMS.missing(label) : STEP_PROBLEMS.invalid(label, why);
  });
  return { problem };
}

/** Public and private channels; people begin with U or W, direct messages with D. */
const CHANNEL_ID = /^[CG][A-Z0-9]{1,20}$/;
