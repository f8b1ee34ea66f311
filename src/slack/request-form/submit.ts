import type { FormOptions } from '../../catalogue/catalogue.ts';
import type { DesignRequest } from '../../requests/request.ts';
import { submitRequest } from '../../requests/submit-request.ts';
import type { SlackDeps } from '../deps.ts';
import { type ViewArgs, workspaceOf } from '../listeners.ts';
import { interactionOf } from '../once.ts';
import { reportUnexpected } from '../unexpected.ts';
import type { FormDraft } from './draft.ts';
import { FORM_FIELDS } from './fields.ts';
import { type FormMetadata, readMetadata } from './metadata.ts';
import { buildFormView, buildNoticeView } from './modal.ts';
import { type FieldProblems, parseForm, problemsByBlock } from './parse.ts';
import { wordsForState } from './request-messages.ts';

type SubmitDeps = Pick<SlackDeps, 'catalogue' | 'transact' | 'partnerName' | 'now' | 'log'>;

const NOTHING_LISTED: FormOptions = { requestTypes: [], brands: [] };

/**
 * Takes a submitted form: what is wrong with it is said at its fields; else it is put on disk and
 * only then acknowledged. Where it can't be put there, the form stays open with everything typed.
 */
export async function onSubmit(deps: SubmitDeps, args: ViewArgs): Promise<void> {
  const { view, body, context, ack } = args;
  const workspaceId = workspaceOf(context);
  const metadata = readMetadata(view.private_metadata);
  const known = (await deps.catalogue.peekFormOptions(workspaceId)) ?? NOTHING_LISTED;
  // An acknowledgement's view can't be completed later: Slack does not say what became of it.
  const options = { ...known, brandsFollow: false };
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

const buildTooLateView = (request: DesignRequest) =>
  buildNoticeView(
    `*This form was sent before, as ${request.reference}.*\n${wordsForState(request)}\nWhat you changed since then was not sent. \`/design-request\` opens a new form.`,
  );

export const buildSendingView = () =>
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
