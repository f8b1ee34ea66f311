import { SAFEGUARDS } from '../model/protocol/safeguards.ts';
import type { Mutation } from './mutation.ts';

const ONE_CRASH = { oneCrash: 'Not there, send again' };
const UNNAMED = { oneCrash: 'isn’t named in the answer' };
const TWO_PROCESSES = { twoProcesses: 3, scenarioOfTwoProcesses: 'request' };

/** What keeps a request from being lost or doubled, and the calls of a key within its budget. */
const DELIVERY: readonly Mutation[] = [
  {
    safeguard: SAFEGUARDS.sendingIsCommittedFirst,
    file: 'src/requests/send-request.ts',
    text: "await ctx.requests.changeState(claimed, ['queued'], 'sending', change, ctx.now());",
    replacement: '{ ...claimed, ...change };',
    search: ONE_CRASH,
  },
  {
    safeguard: SAFEGUARDS.abandonedSendingIsInDoubt,
    file: 'src/requests/send-request.ts',
    text: '    IN_DOUBT,\n  );',
    replacement: "    { state: 'queued', retryAt: ctx.now() },\n  );",
    search: ONE_CRASH,
  },
  {
    safeguard: SAFEGUARDS.lostAnswerIsInDoubt,
    file: 'src/requests/send-outcome.ts',
    text: "    case 'not_sent':\n",
    replacement: "    case 'not_sent':\n    case 'outcome_unknown':\n",
    search: ONE_CRASH,
  },
  {
    safeguard: SAFEGUARDS.unnamedIsCreated,
    file: 'src/requests/send-request.ts',
    text: "    return { state: 'created', cardId };\n",
    replacement: `    const isSentAgain = cardId === undefined && request.attempts === 1;
    return isSentAgain ? queuedUntil(ctx.now(), 'busy') : { state: 'created', cardId };
`,
    search: UNNAMED,
  },
  {
    safeguard: SAFEGUARDS.linkIsNoChange,
    file: 'src/store/requests.ts',
    text: '        .set({ cardId })\n',
    replacement: "        .set((eb) => ({ cardId, revision: eb('revision', '+', 1) }))\n",
    search: UNNAMED,
  },
  {
    safeguard: SAFEGUARDS.heldClaimIsLeftAlone,
    file: 'src/requests/send-request.ts',
    text: "  if (sentBy !== undefined && (await ctx.jobTable.isHeld(sentBy))) return 'done';\n",
    replacement: '',
    search: TWO_PROCESSES,
    otherwise:
      'few runs freeze a process at that moment; `test/postgres/send-on-replicas.test.ts` fails',
  },
  {
    safeguard: SAFEGUARDS.statusIsCompared,
    file: 'src/store/requests.ts',
    text: "        .where('state', 'in', from)\n",
    replacement: '',
    search: { ...ONE_CRASH, ...TWO_PROCESSES },
  },
  {
    safeguard: SAFEGUARDS.claimIsCompared,
    file: 'src/requests/send-request.ts',
    text: 'const claimed = { ...request, whileHeld: claim };',
    replacement: 'const claimed = request;',
    search: TWO_PROCESSES,
    otherwise:
      'few runs freeze a process at that moment; `test/requests/send-request.test.ts` fails',
  },
  {
    safeguard: SAFEGUARDS.leaseIsCheckedBeforeSending,
    file: 'src/requests/send-request.ts',
    text: 'const options = { maySend: isHeld };',
    replacement: 'const options = {};',
    search: TWO_PROCESSES,
    otherwise:
      'few runs freeze a process at that moment; `test/postgres/send-on-replicas.test.ts` fails',
  },
  {
    safeguard: SAFEGUARDS.leaseGapCounts,
    file: 'src/jobs/lease.ts',
    text: 'return () => gaps === gapsBefore && isValid();',
    replacement: 'return () => gapsBefore !== undefined && isValid();',
    search: TWO_PROCESSES,
    otherwise: 'few runs freeze a process at that moment; `test/postgres/lease.test.ts` fails',
  },
  {
    safeguard: SAFEGUARDS.outcomeIsFenced,
    file: 'src/requests/send-outcome.ts',
    text: 'const recording = { request, whileSentBy: claim, from };',
    replacement: 'const recording = { request, whileSentBy: undefined, from };',
    search: TWO_PROCESSES,
    otherwise:
      'few runs freeze a process at that moment; `test/requests/send-outcome.test.ts` fails',
  },
  {
    safeguard: SAFEGUARDS.abandonedJobsAreReclaimed,
    file: 'src/jobs/runner.ts',
    text: 'await jobs.releaseAbandoned(now(), MAX_CRASHES);',
    replacement: '[];',
    search: ONE_CRASH,
  },
  {
    safeguard: SAFEGUARDS.jobIsInTheSameCommit,
    file: 'src/requests/change-request-state.ts',
    text: '    await jobs.add(nextJob(changed), now);\n',
    replacement: '',
    search: ONE_CRASH,
  },
  {
    safeguard: 'the same, with the job in a commit of its own',
    file: 'src/requests/change-request-state.ts',
    text: `    await jobs.add(nextJob(changed), now);
    if (watching) await jobs.add(watching, now);
    return changed;
  });`,
    replacement: `    if (watching) await jobs.add(watching, now);
    return changed;
  }).then(async (changed) => {
    if (changed) await ctx.transact(({ jobs }) => jobs.add(nextJob(changed), now));
    return changed;
  });`,
    search: ONE_CRASH,
  },
  {
    safeguard: SAFEGUARDS.decisionWorksOnce,
    file: 'src/requests/decide.ts',
    text: "send_again: { from: ['in_doubt'],",
    replacement: "send_again: { from: ['in_doubt', 'queued', 'sending', 'created'],",
    search: { oneCrash: 'Not there, send again' },
    otherwise:
      'the model’s shortest way is “Found it”, and the authors of these runs press once; `test/requests/decide.test.ts` fails',
  },
  {
    safeguard: 'a grant is stored only if the budget has not changed since it was read',
    file: 'src/store/budgets.ts',
    text: "        .where('revision', '=', expected ?? 0)\n",
    replacement: '',
    search: TWO_PROCESSES,
    otherwise: 'these runs make few calls; `test/store/budget-suite.ts` fails',
  },
  {
    safeguard: 'a grant is on disk before its call',
    file: 'src/service/budget/shared-budget.ts',
    text: 'await this.#store.replace(this.#fingerprint, kept?.revision, budget, times);',
    replacement: '(kept?.revision ?? 0) + 1;',
    search: TWO_PROCESSES,
    otherwise: 'these runs make few calls; `test/service/budget/histories.test.ts` fails',
  },
  {
    safeguard: 'a call whose grant no longer counts is not sent',
    file: 'src/service/budget/gate.ts',
    text: 'await make(() => this.#now() - grantedAt <= SENT_WITHIN_MS);',
    replacement: 'await make();',
    search: TWO_PROCESSES,
    otherwise: 'these runs make few calls; `test/service/budget/budget.test.ts` fails',
  },
];

const JOBS: readonly Mutation[] = [
  {
    safeguard: 'a job is claimed by one worker',
    file: 'src/store/jobs.ts',
    text: 'const lockedByUs = isShared ? sql`for update skip locked` : sql``;',
    replacement: 'const lockedByUs = sql``;',
    search: TWO_PROCESSES,
    otherwise: 'these proofs run one statement at a time; `test/postgres/claims.test.ts` fails',
  },
  {
    safeguard: 'a job is ended or postponed only under its newest claim',
    file: 'src/store/jobs.ts',
    text: 'and({ id, fence })',
    replacement: "and({ id, fence: sql.ref('fence') })",
    search: TWO_PROCESSES,
    otherwise: 'few runs freeze a process at that moment; `test/store/job-suite.ts` fails',
  },
  {
    safeguard: 'jobs of living replicas are not taken back',
    file: 'src/store/jobs.ts',
    text: '(claimed_by is null or not ',
    replacement: '(true or not ',
    search: TWO_PROCESSES,
    otherwise: 'few runs freeze a process at that moment; `test/postgres/lease.test.ts` fails',
  },
  {
    safeguard: 'a replica whose lease ran out claims no jobs',
    file: 'src/store/jobs.ts',
    text: 'isAlive(sql`$',
    replacement: "(sql`'' <> $",
    search: TWO_PROCESSES,
    otherwise:
      'a few runs rarely freeze a process between its own check and the statement; `test/postgres/lease.test.ts` fails',
  },
  {
    safeguard: 'a change is known by one job, however often the job is added',
    file: 'src/requests/jobs.ts',
    text: 'identity: `',
    replacement: 'identity: crypto.randomUUID() + `',
    search: { ...ONE_CRASH, twoCrashes: 30 },
  },
  {
    safeguard: 'jobs that are missing are added at a start',
    file: 'src/requests/resume.ts',
    text: 'const waitingIn = new Set<WorkspaceId>();',
    replacement: 'if (ctx) return;\n  const waitingIn = new Set<WorkspaceId>();',
    search: { ...ONE_CRASH, twoCrashes: 30 },
    otherwise:
      'redundant after a crash: jobs are stored with what they are for; `test/journeys/keyring.test.ts` fails',
  },
  {
    safeguard: 'an event is on disk before it is acknowledged',
    file: 'src/slack/intake/intake.ts',
    text: 'await jobs.add(event, now());',
    replacement: 'void jobs.add(event, now());',
    search: { oneCrash: 'a link' },
  },
];

const SUBMISSIONS: readonly Mutation[] = [
  {
    safeguard: 'a request is on disk before it is acknowledged',
    file: 'src/slack/request-form/open-forms.ts',
    text: 'const { request, isCurrent } = await submitRequest(',
    replacement: `await ack({ response_action: 'update', view: buildNoticeView(NOTICES.sending) });
    const { request, isCurrent } = await submitRequest(`,
    search: ONE_CRASH,
  },
  {
    safeguard: 'a request is stored with the job that sends it',
    file: 'src/requests/submit-request.ts',
    text: '    if (changed) await jobs.add(sendJob(changed), now);\n',
    replacement: '',
    search: ONE_CRASH,
  },
  {
    safeguard: 'the same form sent twice is one request',
    file: 'src/slack/request-form/open-forms.ts',
    text: '{ formId, workspaceId, userId, ...sent',
    replacement: '{ formId: crypto.randomUUID(), workspaceId, userId, ...sent',
    // Whether the press was answered is not in the data.
    search: { oneCrash: 'a request', everyMoment: true },
  },
];

const NOTICES: readonly Mutation[] = [
  {
    safeguard: 'an author is told only about the newest state',
    file: 'src/requests/announce-request.ts',
    text: '!request || request.revision !== input.revision',
    replacement: '!request',
    search: { oneCrash: 'holds messages back' },
  },
  {
    safeguard: 'what an author has to decide is told in a new message',
    file: 'src/slack/request-form/announce.ts',
    text: "const asksAuthor = state === 'rejected' || state === 'in_doubt';",
    replacement: 'const asksAuthor = state === undefined;',
    search: { oneCrash: 'a key rejected' },
  },
  {
    safeguard: 'an author is not told again what was told before',
    file: 'src/requests/announce-request.ts',
    text: "  if (request.announcedRevision >= request.revision) return 'done';\n",
    replacement: '',
    search: ONE_CRASH,
  },
  {
    safeguard: 'that an author was told is stored',
    file: 'src/requests/announce-request.ts',
    text: 'await ctx.requests.markAnnounced(request, message);',
    replacement: 'request.revision;',
    search: ONE_CRASH,
  },
  {
    safeguard: 'a request in doubt is searched for before its author is asked',
    file: 'src/requests/jobs.ts',
    text: 'isSearchedFor(request) ? reconcileJob(request) : announceJob(request);',
    replacement: 'announceJob(request);',
    search: { oneCrash: 'looked for' },
  },
  {
    safeguard: 'an author is asked about a request that was not found',
    file: 'src/requests/reconcile-request.ts',
    text: '  await ctx.jobs.add(announceJob(request, isSearched ? LAST_SEARCH_MS / 60_000 : undefined));\n',
    replacement: '',
    search: { oneCrash: 'in doubt' },
  },
];

const KEYS: readonly Mutation[] = [
  {
    safeguard: 'a key is marked as rejected in one commit with the job that tells the admins',
    file: 'src/service/service-access.ts',
    text: `      return transact(async (changes) => {
        const isFirst = await changes.keys.markRejected(ownerId, fingerprint, now);
        if (isFirst) await changes.jobs.add(tell, now);
        return isFirst;
      });`,
    replacement: `      const isFirst = await transact((changes) =>
        changes.keys.markRejected(ownerId, fingerprint, now),
      );
      if (isFirst) await transact((changes) => changes.jobs.add(tell, now));
      return isFirst;`,
    search: { oneCrash: 'a key' },
  },
  {
    safeguard: 'a key that was rejected is not used again',
    file: 'src/store/api-keys.ts',
    text: "set({ state: 'rejected', changedAt: now })",
    replacement: 'set({ changedAt: now })',
    search: { oneCrash: 'a key rejected' },
  },
  {
    safeguard: 'a new key sends the requests that waited for it',
    file: 'src/installations/connect-key.ts',
    text: '    resumed.push(...(await resumeWaiting(ctx, id)));\n',
    replacement: '',
    search: { oneCrash: 'a key' },
  },
  {
    safeguard: 'requests whose key was connected as a process ended are sent at the next start',
    file: 'src/requests/resume.ts',
    text: '  for (const workspaceId of waitingIn) await resumeWaiting(ctx, workspaceId);\n',
    replacement: '',
    search: { oneCrash: 'may not create cards' },
  },
  {
    safeguard: 'a request waits for another key than the one that was refused',
    file: 'src/requests/resume.ts',
    text: 'key.fingerprint !== problem?.keyFingerprint || key.changedAt > updatedAt;',
    replacement: 'true;',
    search: { oneCrash: 'may not create cards' },
  },
];

const UNINSTALLS: readonly Mutation[] = [
  {
    safeguard: 'work for a workspace that has left is refused',
    file: 'src/jobs/queue.ts',
    text: '(await accepts(job.workspaceId)) && ',
    replacement: '',
    search: { oneCrash: 'uninstall' },
    otherwise:
      'redundant: what Slack delivers later is refused before (fault 16), and what running work stores is deleted with the other leftovers within a minute',
  },
  {
    safeguard: 'what was written during an uninstall is swept',
    file: 'src/deletion.ts',
    text: 'for (const wait of LEFTOVERS_AFTER_MS) ',
    replacement: 'for (const wait of LEFTOVERS_AFTER_MS.slice(9)) ',
    search: { twoProcesses: 30, scenarioOfTwoProcesses: 'while a form is sent' },
  },
  {
    safeguard: 'what an uninstall left when its process ended is swept at the next start',
    file: 'src/deletion.ts',
    text: '      sweep();\n',
    replacement: '      hasEnded = true;\n',
    search: { oneCrash: 'uninstall' },
  },
  {
    safeguard: 'requests are deleted before their jobs',
    file: 'src/store/workspace-rows.ts',
    text: 'for (const table of LARGE_TABLES) deleted',
    replacement: 'for (const table of LARGE_TABLES.toReversed()) deleted',
    search: { oneCrash: 'uninstall' },
    otherwise: 'redundant after a crash: the next start deletes leftovers, and adds missing jobs',
  },
];

export const MUTATIONS: readonly Mutation[] = [
  ...DELIVERY,
  ...JOBS,
  ...SUBMISSIONS,
  ...NOTICES,
  ...KEYS,
  ...UNINSTALLS,
];
