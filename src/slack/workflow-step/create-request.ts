import { z } from 'zod';
import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { JobQueue } from '../../jobs/queue.ts';
import type { JobHandler } from '../../jobs/runner.ts';
import type { Log } from '../../ops/logging.ts';
import { type CardLinks, newErrorReference } from '../../references.ts';
import type { DesignRequest, FormDraft } from '../../requests/request.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import {
  type FormOptions,
  NO_OPTIONS,
  type ReferenceLists,
} from '../../service/cache/reference-lists.ts';
import { isTransient } from '../../service/errors.ts';
import type { ClaimedJob } from '../../store/jobs.ts';
import type { RequestStore } from '../../store/requests.ts';
import type { Transact } from '../../store/stores.ts';
import { outcomeOfCall, slackErrorCode } from '../client/errors.ts';
import type { SlackClient, SlackClients } from '../client/slack-client.ts';
import { interactionNamed, type PersonalEvent } from '../interaction/interactions.ts';
import { SLACK_JOBS } from '../interaction/jobs.ts';
import { FORM_FIELDS, TITLE_MAX } from '../request-form/fields.ts';
import { type FieldName, productsOf, readText, readTypedList } from '../request-form/form-field.ts';
import { asChoices, type Choice, choiceOf, isDigest } from '../request-form/options.ts';
import { buttonsFor } from '../request-form/outcome.ts';
import { checkDraft, type FieldProblems } from '../request-form/parse.ts';
import { PLAIN_TEXT_INPUT_MAX } from '../text/limits.ts';
import { plainTextToRichText } from '../text/rich-text-to-html.ts';
import { wordsForProblem, wordsForServiceError } from '../words/errors.ts';
import { STEP_PROBLEMS, stepEnded, stepTimedOut } from '../words/workflow-step.ts';

/** The step's callback ID in manifest.yml. */
export const CREATE_STEP = 'create_design_request';

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

/** For how long a workflow waits until somebody decides about its request, in ms. */
const WAIT_MAX_MS = 7 * 24 * 60 * 60_000;

const PREFIX = 'step';

/** The ID of the request that a run creates: there is one, however often Slack delivers the run. */
const requestIdOf = (workspaceId: WorkspaceId, executionId: string): string =>
  [PREFIX, workspaceId, executionId].join('/');

/** Undefined for requests from the form. */
function executionOf({ id }: DesignRequest): string | undefined {
  const [prefix, , executionId] = id.split('/');
  return prefix === PREFIX ? executionId : undefined;
}

const chosen = z.object({ request_type: z.string() });
const limitPayload = z.object({ requestId: z.string() });
const failedPayload = z.object({ executionId: z.string(), errorReference: z.string() });
const stepEvent = z.object({
  event: z.object({
    type: z.literal('function_executed'),
    function: z.object({ callback_id: z.literal(CREATE_STEP) }),
    function_execution_id: z.string(),
  }),
});

export type WorkflowStep = ReturnType<typeof createWorkflowStep>;

/** The workflow step that creates a request, the options of its menus in Workflow Builder, and the end of its runs. */
export function createWorkflowStep(deps: {
  clients: SlackClients;
  requests: Pick<RequestStore, 'get'>;
  referenceLists: Pick<ReferenceLists, 'brands' | 'connectedFormOptions'>;
  jobs: JobQueue;
  cards: CardLinks;
  transact: Transact;
  now: () => Date;
  log: Log;
}) {
  const { clients, requests, referenceLists, jobs, cards, transact, now, log } = deps;
  const { connectedFormOptions } = referenceLists;

  /** Slack refuses a run that has ended: its answer was lost, or someone canceled the workflow. */
  function ignoreEnded(error: unknown): void {
    if (outcomeOfCall(error) !== 'refused') throw error;
    log.info({ code: slackErrorCode(error) }, 'Slack refused the result of a workflow step');
  }

  /** @param outputs as manifest.yml lists them */
  async function complete(client: SlackClient, runId: string, outputs: Record<string, unknown>) {
    const result = { function_execution_id: runId, outputs };
    await client.functions.completeSuccess(result).catch(ignoreEnded);
  }

  /** @param words may contain backticks, as messages do; here, Slack would show them */
  async function fail(client: SlackClient, runId: string, words: string) {
    const result = { function_execution_id: runId, error: words.replaceAll('`', '') };
    await client.functions.completeError(result).catch(ignoreEnded);
  }

  /**
   * Ends the run that a request comes from, once its outcome is final. Until then, the workflow waits, for seven days:
   * a request that waits for a key is still sent, and its author may answer a question or fix it.
   */
  async function finish(client: SlackClient, request: DesignRequest): Promise<void> {
    const executionId = executionOf(request);
    if (executionId === undefined) return;
    const { id: requestId, workspaceId, state, cardId, reference, problem, createdAt } = request;
    if (state === 'created') {
      return complete(client, executionId, {
        ...(cardId === undefined ? {} : { card_id: cardId }),
        card_link: cards.urlIfPossible(cardId) ?? cards.dashboardUrl,
        reference,
      });
    }
    const canBeFixed = buttonsFor(request, cards.dashboardUrl).length > 0;
    if (state === 'discarded' || (state === 'rejected' && !canBeFixed)) {
      const why = problem ? wordsForProblem(problem, { reference }) : '';
      return fail(client, executionId, stepEnded(request, why));
    }
    await jobs.add({
      kind: SLACK_JOBS.stepLimit,
      workspaceId,
      identity: `${SLACK_JOBS.stepLimit}/${requestId}`,
      payload: { requestId },
      runAt: new Date(createdAt.getTime() + WAIT_MAX_MS),
    });
  }

  /** The request stays as it is: its author may still send it. */
  const onLimit: JobHandler = async ({ workspaceId, payload }) => {
    const { requestId } = limitPayload.parse(payload);
    const request = await requests.get(workspaceId, requestId);
    const executionId = request && executionOf(request);
    // In these two states, the run was ended when the request was announced.
    if (!executionId || request.state === 'created' || request.state === 'discarded') return 'done';
    await fail(await clients.of(workspaceId), executionId, stepTimedOut(request));
    return 'done';
  };

  const onFailed: JobHandler = async ({ workspaceId, payload }) => {
    const { executionId, errorReference } = failedPayload.parse(payload);
    // A request that exists ends its run itself.
    if (await requests.get(workspaceId, requestIdOf(workspaceId, executionId))) return 'done';
    const words = STEP_PROBLEMS.unexpected(errorReference);
    await fail(await clients.of(workspaceId), executionId, words);
    return 'done';
  };

  /** Called when an event was given up: if it ran the step, its workflow must not wait forever. */
  async function onEventGivenUp({ id, workspaceId, payload }: ClaimedJob): Promise<void> {
    const { data } = stepEvent.safeParse(payload);
    if (!data) return;
    const errorReference = newErrorReference();
    log.error({ ref: errorReference, job: id }, 'gave up on a workflow step');
    const { function_execution_id: executionId } = data.event;
    await jobs.add({
      kind: SLACK_JOBS.stepFailed,
      workspaceId,
      identity: `${SLACK_JOBS.stepFailed}/${workspaceId}/${executionId}`,
      payload: { executionId, errorReference },
    });
  }

  /**
   * The service's lists, to name what was chosen. Without them the request is stored all the same, and waits for the key
   * or the service. @throws DesignApiError if a choice can't be read without them now, but may be later
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
    complete,
    fail,
    finish,
    onLimit,
    onFailed,
    onEventGivenUp,

    /**
     * Creates a request for a run of the step, in the same way as the form. Its event is a job, which may run again,
     * after a crash or because Slack repeated it, so a request that exists is left alone, whatever became of it since.
     */
    async onRun({ client, workspaceId, userId, body }: Step): Promise<void> {
      const { function_execution_id: executionId, inputs } = body.event;
      const formId = requestIdOf(workspaceId, executionId);
      const existing = await requests.get(workspaceId, formId);
      if (existing) return finish(client, existing);

      const options = await optionsFor(workspaceId, inputs);
      const read = readInputs(inputs, options, now());
      if ('problem' in read) return fail(client, executionId, read.problem);
      // Of two processes that handle the same run at once, one submits.
      const interaction = interactionNamed(workspaceId, formId);
      const submission = { formId, workspaceId, userId, form: read.form, interaction };
      await submitRequest({ transact, now }, submission);
    },

    listTypes: async ({ workspaceId }: Step) =>
      (await connectedFormOptions(workspaceId)).requestTypes,

    async listBrands({ workspaceId }: Step) {
      const { brands } = await connectedFormOptions(workspaceId);
      return brands ?? referenceLists.brands(workspaceId);
    },

    /** The products of the request type that is chosen in the step; all products without one. */
    async listProducts({ workspaceId, body }: Step) {
      const options = await connectedFormOptions(workspaceId);
      const value = chosen.safeParse(body.event.inputs).data?.request_type;
      const requestType = value === undefined ? undefined : choiceOf(options.requestTypes, value);
      return asChoices(productsOf({ options, draft: { requestType } }));
    },
  };
}

type Step = PersonalEvent<'function_executed'>;

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
function readInputs(inputs: Record<string, unknown>, options: FormOptions | undefined, now: Date) {
  const found: FieldProblems = {};
  const text = (name: InputName) => {
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

  const lists = { options: options ?? NO_OPTIONS };
  const requestType = listed('request_type', options?.requestTypes);
  const products = productsOf({ ...lists, draft: { requestType } });
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
  const checked = checkDraft(draft, lists, { now, found });
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
