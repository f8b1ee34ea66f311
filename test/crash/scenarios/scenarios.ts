import { forbiddenKey } from './forbidden-key.ts';
import { foundInProject, unnamedInProject } from './found.ts';
import { inDoubt } from './in-doubt.ts';
import { link } from './link.ts';
import { messagesHeldBack } from './messages-held-back.ts';
import { rejectedKey } from './rejected-key.ts';
import { request } from './request.ts';
import type { Scenario } from './scenario.ts';
import { uninstall } from './uninstall.ts';
import { uninstallWhileSending } from './uninstall-while-sending.ts';

/** Their order is part of the numbers of runs, so new ones come last. */
export const SCENARIOS: readonly Scenario[] = [
  request,
  inDoubt('Not there, send again'),
  inDoubt('Found it'),
  inDoubt('Discard'),
  foundInProject,
  rejectedKey,
  link,
  uninstall,
  forbiddenKey,
  messagesHeldBack,
  uninstallWhileSending,
  unnamedInProject,
];
