import type { WorkspaceId } from '../../installations/workspace-id.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { FormOptions } from '../../service/cache/catalogue.ts';
import type { SlackDeps } from '../deps.ts';
import { inTime } from '../listener/in-time.ts';
import { interactionOf } from '../listener/once.ts';
import { type ViewArgs, workspaceOf } from '../listener/replies.ts';
import { reportUnexpected } from '../listener/unexpected.ts';
import type { ViewValues } from '../views/view-values.ts';
import type { FormDraft } from './draft.ts';
import { chosenValues } from './elements.ts';
import { FORM_FIELDS } from './fields.ts';
import { type FormMetadata, readMetadata } from './metadata.ts';
import { buildFormView, buildNoticeView } from './modal.ts';
import { isDigest } from './options.ts';
import { type FieldProblems, parseForm, problemsByBlock } from './parse.ts';
import { wordsForState } from './request-messages.ts';

type SubmitDeps = Pick<
  SlackDeps,
  'catalogue' | 'outcomes' | 'transact' | 'partnerName' | 'now' | 'log'
>;

const NOTHING_LISTED: FormOptions = { requestTypes: [], brands: undefined };

/**
 * Takes a submitted form: what is wrong with it is said at its fields; else it is put on disk and
 * only then acknowledged. Where it can't be put there, the form stays open with everything typed.
 */
export async function onSubmit(deps: SubmitDeps, args: ViewArgs): Promise<void> {
  const { view, body, context, ack } = args;
  deps.outcomes.submitted(view.id);
  const workspaceId = workspaceOf(context);
  const metadata = readMetadata(view.private_metadata);
  const known = (await listsFor(deps, workspaceId, view.state.values)) ?? NOTHING_LISTED;
  // An acknowledgement's view can't be completed later: Slack does not say what became of it.
  const options = { ...known, brandsPending: false };
  const { partnerName } = deps;
  const { values } = view.state;
  const parsed = parseForm(values, { options, partnerName });
  if ('problems' in parsed) {
    return refuse(args, { ...parsed, metadata, options, partnerName });
  }
  try {
    const { request, taken } = await submitRequest(deps, {
      formId: metadata.formId,
      workspaceId,
      userId: body.user.id,
      channelId: metadata.channelId,
      viewId: view.id,
      form: parsed.form,
      interaction: interactionOf(args),
    });
    await ack({
      response_action: 'update',
      view: taken ? buildSendingView() : buildTooLateView(request),
    });
  } catch (error) {
    const words = reportUnexpected(deps.log, error, 'a submission could not be stored', {
      words: (reference) =>
        `Your request couldn’t be saved (${reference}). Nothing you typed is lost: press Send again.`,
    });
    await ack({ response_action: 'errors', errors: { [FORM_FIELDS[0]?.name ?? 'title']: words } });
  }
}

/** The lists in memory. Where there are none, the service is asked only if the form can't be read without. */
async function listsFor(
  deps: SubmitDeps,
  workspaceId: WorkspaceId,
  values: ViewValues,
): Promise<FormOptions | undefined> {
  const known = await deps.catalogue.peekFormOptions(workspaceId);
  const chosen = Object.values(values).flatMap((actions) =>
    Object.values(actions).flatMap(chosenValues),
  );
  if (known || !chosen.some(isDigest)) return known;
  const read = deps.catalogue.formOptions(workspaceId).catch((error) => {
    deps.log.warn({ err: error, workspace: workspaceId }, 'a form’s lists could not be read');
    return undefined;
  });
  return inTime(read, undefined);
}

const buildTooLateView = (request: DesignRequest) =>
  buildNoticeView(
    `*This form was sent before, as ${request.reference}.*\n${wordsForState(request)}\nWhat you changed since then was not sent. \`/design-request\` opens a new form.`,
  );

const buildSendingView = () =>
  buildNoticeView(
    ':hourglass_flowing_sand: *Sending…*\nYou can close this. The confirmation comes as a message.',
  );

/** Words at a field need the field to be there: one that the view lacks makes the form be drawn anew. */
async function refuse(
  args: ViewArgs,
  refused: {
    problems: FieldProblems;
    draft: FormDraft;
    metadata: FormMetadata;
    options: FormOptions;
    partnerName: string;
  },
): Promise<void> {
  const { problems, options } = refused;
  const errors = problemsByBlock(problems, args.view.state.values);
  const allShown = Object.keys(errors).length === Object.keys(problems).length;
  if (allShown || options.requestTypes.length === 0) {
    await args.ack({ response_action: 'errors', errors });
  } else {
    await args.ack({ response_action: 'update', view: buildFormView(refused) });
  }
}
