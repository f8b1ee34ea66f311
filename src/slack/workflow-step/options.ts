import { z } from 'zod';
import type { SlackDeps } from '../deps.ts';
import type { AllowedUser } from '../listener/access.ts';
import type { StepArgs } from '../listener/replies.ts';
import { connectedLists, productsOf } from '../request-form/draft.ts';
import { asChoices, type Choice, choiceOf } from '../request-form/options.ts';

type OptionsDeps = Pick<SlackDeps, 'referenceLists' | 'partnerName'>;

export const listTypes = async (
  { referenceLists }: OptionsDeps,
  _args: StepArgs,
  { workspaceId }: AllowedUser,
): Promise<readonly Choice[]> =>
  (await connectedLists({ referenceLists }, workspaceId)).requestTypes;

export async function listBrands(
  { referenceLists }: OptionsDeps,
  _args: StepArgs,
  { workspaceId }: AllowedUser,
): Promise<readonly Choice[]> {
  const { brands } = await connectedLists({ referenceLists }, workspaceId);
  return brands ?? referenceLists.brands(workspaceId);
}

const chosen = z.object({ request_type: z.string() });

/** The products of the request type that is chosen in the step; all products without one. */
export async function listProducts(
  { referenceLists, partnerName }: OptionsDeps,
  { event }: StepArgs,
  { workspaceId }: AllowedUser,
): Promise<readonly Choice[]> {
  const options = await connectedLists({ referenceLists }, workspaceId);
  const value = chosen.safeParse(event.inputs).data?.request_type;
  const requestType = value === undefined ? undefined : choiceOf(options.requestTypes, value);
  return asChoices(productsOf({ options, partnerName, draft: { requestType } }));
}
