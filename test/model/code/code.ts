import { createLog } from '../../../src/ops/logging.ts';
import { confirmFound, decideInDoubt } from '../../../src/requests/decide.ts';
import { REQUEST_JOBS } from '../../../src/requests/jobs.ts';
import { linkReadCard } from '../../../src/requests/link-card.ts';
import { submitRequest } from '../../../src/requests/submit-request.ts';
import { callsLeft, newBudget } from '../../../src/service/budget/budget.ts';
import type { Card } from '../../../src/service/operations/card.ts';
import { fingerprintOf } from '../../../src/store/api-keys.ts';
import type { Database } from '../../../src/store/database.ts';
import { createStores } from '../../../src/store/stores.ts';
import { faultFor } from '../../crash/scenario.ts';
import { T1 } from '../../installations/ids.ts';
import { BLANK_CARD } from '../../service/blank-card.ts';
import { startDesignService } from '../../stand-ins/design-service/server.ts';
import { kindsOf } from '../../store/kinds-of.ts';
import { FORM } from '../../store/request-suite.ts';
import { claimOne } from '../../store/stores-under-test.ts';
import type { Decision } from '../protocol/author.ts';
import type { Scope } from '../protocol/state.ts';
import type { Happened } from '../protocol/transitions.ts';
import {
  type CodeReplica,
  createReplica,
  ENCRYPTION_KEYS,
  secondsAhead,
  virtualBudgets,
} from './replica.ts';
import type { View } from './view.ts';
import { type CodeWorker, createWorker, type Gate } from './worker.ts';

const AUTHOR = 'U1';
const STARTS_AT = Date.UTC(2026, 2, 2, 9);
/** Longer than calls count, and than any request waits for its turn, for which searches leave their calls. */
const LONG_AFTER_MS = 10 * 60_000;

const STEP_AT: Record<Gate, View['workers'][number]> = {
  beginSending: 'checked',
  takeGrant: 'sending',
  call: 'granted',
  recordOutcome: 'answered',
  endSending: 'recorded',
};

/** The real code, driven by the transitions of the model. @param db empty and migrated */
export async function openCode(db: Database, scope: Scope) {
  let clock = STARTS_AT;
  const now = () => new Date(clock);
  const service = await startDesignService({ clock: now, requestsPerMinute: scope.budget });
  const fingerprint = fingerprintOf(service.apiKey);
  const stores = createStores(db, ENCRYPTION_KEYS);
  await stores.keys.save(T1, service.apiKey, AUTHOR, now());
  const settings = await kindsOf(stores).settings.get(T1);
  await kindsOf(stores).settings.save(T1, { ...settings, projectId: 'project-1' }, now());
  const ahead = secondsAhead(STARTS_AT);
  const budgets = virtualBudgets(stores.budgets, ahead);
  const full = { ...newBudget(), limit: scope.budget };
  await budgets.replace(fingerprint, undefined, full, { now: now(), aheadSeconds: 0 });

  const isShared = new Set(scope.workers).size > 1;
  const workers = scope.workers.map(createWorker);
  const claimed = new Map<CodeWorker, () => Promise<void>>();
  let callsBefore = 0;
  let processes = 0;
  let claims = 0;

  function startReplica(): CodeReplica {
    processes += 1;
    const processId = `process-${processes}`;
    const { resumes } = scope;
    return createReplica({ db, processId, isShared, resumes, baseUrl: service.url, now, ahead });
  }
  const replicas = Array.from({ length: Math.max(...scope.workers) + 1 }, startReplica);
  for (const replica of replicas) await replica.start({ resumes: false });

  const at = <Item>(items: readonly Item[], index: number): Item => {
    const item = items[index];
    if (item === undefined) throw new RangeError(`There is nothing at ${index}.`);
    return item;
  };
  const idOf = (request: number) => `request-${request}`;
  const replicaOf = (worker: number) => at(replicas, at(scope.workers, worker));

  async function expireLease({ processId }: CodeReplica): Promise<void> {
    await db
      .updateTable('replicas')
      .set({ aliveUntil: new Date(0) })
      .where('id', '=', processId)
      .execute();
  }

  /** Makes a job the one that has waited longest, and claims it. @returns what runs it */
  async function claim(replica: CodeReplica, id: number | undefined): Promise<() => Promise<void>> {
    if (id === undefined) throw new Error('There is no such job.');
    claims += 1;
    await db
      .updateTable('jobs')
      .set({ runAt: new Date(-claims) })
      .where('id', '=', id)
      .execute();
    const isHeld = replica.heldFromNow();
    const job = await claimOne(replica.jobTable, now());
    if (job?.id !== id) throw new Error(`Job ${job?.id} was claimed instead of ${id}.`);
    return () => replica.runJob(job, isHeld);
  }

  async function freeSendJob(request: number): Promise<number | undefined> {
    const jobs = await db
      .selectFrom('jobs')
      .selectAll()
      .where('kind', '=', REQUEST_JOBS.send)
      .where('state', '=', 'ready')
      .orderBy('id')
      .execute();
    return jobs.find(({ payload }) => JSON.parse(payload).requestId === idOf(request))?.id;
  }

  /** The job of this kind for the request's current revision. */
  async function following(request: number, kind: string) {
    const row = await stores.requests.get(T1, idOf(request));
    return db
      .selectFrom('jobs')
      .selectAll()
      .where('identity', '=', `${kind}/${idOf(request)}/${row?.revision}`)
      .executeTakeFirst();
  }

  async function submit(request: number): Promise<void> {
    const before = await stores.requests.get(T1, idOf(request));
    await submitRequest(
      { transact: at(replicas, 0).transact, now },
      {
        ...{ formId: idOf(request), workspaceId: T1, userId: AUTHOR, viewId: 'V1' },
        form: {
          ...FORM,
          title: idOf(request),
          requestType: { id: 'type-social', name: 'Social media' },
          // A rejected form is sent again only with changes.
          dimensions: `${(before?.revision ?? 0) + 1} × 1`,
        },
      },
    );
  }

  async function decide(request: number, choice: Decision): Promise<void> {
    const { requests, transact } = at(replicas, 0);
    const ctx = { requests, transact, now };
    const about = { workspaceId: T1, userId: AUTHOR, requestId: idOf(request) };
    if (choice === 'found it') {
      const card = await cardOf(request);
      const cards = { read: async () => ({ card, readAt: now() }) };
      await confirmFound({ ...ctx, cards }, { ...about, cardId: card.id, isSure: false });
    } else {
      const decision = choice === 'discard' ? 'discard' : 'send_again';
      await decideInDoubt(ctx, { ...about, decision });
    }
  }

  /** The card that the service has created for a request, as if it had been read. */
  async function cardOf(request: number): Promise<Card> {
    const row = await stores.requests.get(T1, idOf(request));
    const card = service.cards.all().find(({ title }) => title === idOf(request));
    if (!row || !card) throw new Error(`There is no card of ${idOf(request)}.`);
    return {
      ...BLANK_CARD,
      ...{ id: card.id, title: card.title, descriptionHtml: `<p>${row.reference}</p>` },
    };
  }

  async function readCard(request: number): Promise<void> {
    const { requests, transact } = at(replicas, 0);
    const log = createLog({ level: 'silent' });
    await linkReadCard({ requests, transact, now, log }, T1, await cardOf(request));
  }

  async function tellAuthor(request: number): Promise<void> {
    const replica = replicas.find((one) => one.isLeased());
    const job = await following(request, REQUEST_JOBS.announce);
    if (replica) await (await claim(replica, job?.id))();
  }

  async function claimSending(worker: number, request: number): Promise<void> {
    const replica = replicaOf(worker);
    claimed.set(at(workers, worker), await claim(replica, await freeSendJob(request)));
  }

  /** Lets a worker go on from its gate, or start its claimed job. */
  async function goOn(worker: number): Promise<void> {
    const one = at(workers, worker);
    const begin = claimed.get(one);
    claimed.delete(one);
    await (begin ? one.run(begin) : one.goOn());
  }

  async function crash(replica: number): Promise<void> {
    for (const [index, owner] of scope.workers.entries()) {
      if (owner === replica) workers[index] = createWorker();
    }
    if (isShared) await expireLease(at(replicas, replica));
    const next = startReplica();
    replicas[replica] = next;
    await next.start({ resumes: scope.resumes });
  }

  async function perform(happened: Happened): Promise<void> {
    switch (happened.name) {
      case 'submit':
        return submit(happened.request);
      case 'decide':
        return decide(happened.request, happened.choice);
      case 'tellAuthor':
        return tellAuthor(happened.request);
      case 'readCard':
        return readCard(happened.request);
      case 'claimSending':
        return claimSending(happened.worker, happened.request);
      case 'beginSearch': {
        const replica = replicaOf(happened.worker);
        const job = await following(happened.request, REQUEST_JOBS.reconcile);
        return at(workers, happened.worker).run(await claim(replica, job?.id));
      }
      case 'sendPost': {
        const { choice } = happened;
        const worker = at(workers, happened.worker);
        worker.answer = choice;
        service.faults.clear();
        const isUnnamed = choice === 'done, card not named';
        service.answers.createCard = isUnnamed ? 'message-only' : 'task';
        const fault = faultFor(isUnnamed ? 'done' : choice);
        if (fault) service.faults.add(fault);
        await goOn(happened.worker);
        service.faults.clear();
        worker.answer = 'done';
        return;
      }
      case 'search':
        at(workers, happened.worker).finding = happened.choice;
        return goOn(happened.worker);
      case 'withholdSearch':
        at(workers, happened.worker).finding = 'finds nothing yet';
        return goOn(happened.worker);
      case 'checkRequest':
      case 'beginSending':
      case 'takeGrant':
      case 'withholdPost':
      case 'recordOutcome':
      case 'endSending':
        return goOn(happened.worker);
      case 'crash':
        return crash(happened.replica);
      case 'freeze':
        at(replicas, happened.replica).freeze();
        return expireLease(at(replicas, happened.replica));
      case 'renewLease':
        return at(replicas, happened.replica).renewLease();
      case 'reclaimJobs':
        return at(replicas, happened.replica).reclaimJobs();
      case 'minutePasses':
        clock += LONG_AFTER_MS;
        callsBefore = service.ledger.length;
    }
  }

  const holderOf = (processId: string | undefined): string => {
    const replica = replicas.findIndex((one) => one.processId === processId);
    return replica < 0 ? 'nobody alive' : `replica ${replica}`;
  };

  async function viewRequest(request: number): Promise<View['requests'][number]> {
    const row = await stores.requests.get(T1, idOf(request));
    const all = await db.selectFrom('jobs').selectAll().orderBy('id').execute();
    const own = all.filter(({ payload }) => JSON.parse(payload).requestId === idOf(request));
    const deliveries = own.filter(
      ({ kind, finishedAt }) => kind === REQUEST_JOBS.send && finishedAt === undefined,
    );
    const cards = service
      .calls({ operation: 'createCard', executed: true })
      .filter(({ requestBody }) => JSON.stringify(requestBody).includes(idOf(request)));
    const identity = `${REQUEST_JOBS.send}/${idOf(request)}/${row?.revision}`;
    return {
      status: row?.state ?? 'new',
      cards: cards.length,
      jobs: deliveries
        .map(({ state, claimedBy }) => (state === 'ready' ? 'free' : holderOf(claimedBy)))
        .sort(),
      hasOwnJob: own.some((job) => job.identity === identity),
      isBeingSent: row?.sentBy !== undefined && (await stores.jobTable.isHeld(row.sentBy)),
      notice: await viewNotice(request, row),
      isLinked: row?.cardId !== undefined,
    };
  }

  async function viewNotice(
    request: number,
    row: { state: string; revision: number; announcedRevision: number } | undefined,
  ) {
    if (!row || row.state === 'queued' || row.state === 'sending') return 'none';
    if (row.announcedRevision >= row.revision) return 'told';
    // A search may go on beside it whose job was taken from a frozen replica that ended the same search.
    const tell = await following(request, REQUEST_JOBS.announce);
    if (tell && tell.finishedAt === undefined) return 'tell';
    const reconcile = await following(request, REQUEST_JOBS.reconcile);
    if (!reconcile || reconcile.finishedAt !== undefined) return 'none';
    return reconcile.state === 'ready' ? 'search' : 'searching';
  }

  return {
    /** @throws if the code can't do what the model can */
    perform,
    async view() {
      const { kept } = await budgets.read(fingerprint, now());
      const budget = kept?.budget ?? newBudget();
      return {
        requests: await Promise.all(
          Array.from({ length: scope.requests }, (_, request) => viewRequest(request)),
        ),
        workers: workers.map((worker) => {
          if (claimed.has(worker)) return 'claimed';
          if (worker.waitsAt === undefined) return 'idle';
          return worker.phase === 'checking' && worker.waitsAt === 'call'
            ? 'searching'
            : STEP_AT[worker.waitsAt];
        }),
        leases: replicas.map((replica) => replica.isLeased()),
        granted: scope.budget - callsLeft(budget, clock),
        received: service.ledger.length - callsBefore,
      };
    },
    close: () => service.close(),
  };
}
