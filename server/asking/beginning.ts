import type { Source } from '#contract/models.ts'
import type { AdmittedAsk } from '#server/asks/ask.ts'
import { chargedOf } from '#server/asks/charged.ts'
import { quietStore } from '#server/asks/quietStore.ts'
import type { AskRow } from '#server/asks/store.ts'
import { conversationStore } from '#server/conversations/store.ts'
import { markFilesUsed } from '#server/files/files.ts'
import type { Database, Transaction } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { reserve } from '#server/limits/limits.ts'
import { type AdmissionDependencies, decide, readFacts } from './admission.ts'
import { lockQueues } from './lockedQueues.ts'
import { persistShare } from './poolAnswers.ts'
import { NotQuiet } from './quiet/refusals.ts'
import { type Beginning, requestedAgain } from './quiet/storedRequest.ts'

import type { AskContext } from './target.ts'

export type BeginWaiting = ReturnType<typeof openBeginning>

/**
 * Begins an ask that waits until it is quiet: because it is, or because its person wants it now, at the whole price.
 * All is checked as for a new one, under the same locks, and what it takes is reserved now. Throws `NotQuiet` while
 * others are first, or when it waits no more.
 */
export function openBeginning(dependencies: AdmissionDependencies) {
  const { open, clock, configuration, sources, upstreams, pools, leaseTime, holder } = dependencies

  async function requireWaiting(database: Database, ask_id: string): Promise<AskRow> {
    const found = await quietStore(database).find(ask_id)
    if (found === undefined) throw new NotQuiet('it waits no more')
    return found
  }

  return async (ask_id: string, beginning: Beginning): Promise<AdmittedAsk> => {
    const { source } = await requireWaiting(open.database, ask_id)
    await pools.prepare(source as Source) // only admission writes it
    return open.transaction(trx => begin(trx, ask_id, beginning))
  }

  async function begin(trx: Transaction, ask_id: string, beginning: Beginning): Promise<AdmittedAsk> {
    const found = await requireWaiting(trx, ask_id)
    const ask = requestedAgain(found, beginning)
    const source = sources.of(ask.source)
    const now = clock.now()
    const asked: AskContext = { ask, source, stored: found, configuration: configuration(), now }
    const facts = readFacts(asked, trx, dependencies)
    await facts.locked
    const { user_id } = ask.caller
    const queues = await lockQueues(trx, { source: ask.source, user_ids: [user_id] }, 1)
    const locked = { queues, pools: pools.locked(trx, now) }
    // Whoever waits until there is something to spare claims nothing.
    const { admitted, answer } = await decide(trx, dependencies, facts, {
      ...locked,
      onClaim: () => undefined,
    })
    const { upstream, queueing, reserved, conversation_id, destination } = admitted
    const started = await quietStore(trx).begin(ask_id, {
      ask_state: queueing ? 'queueing' : 'asking',
      upstream_id: upstream.id,
      ...queues.join(upstream.id, user_id, queueing),
      borrows: (reserved.share?.borrowed_key ?? null) !== null,
      lent: answer?.view.lentBy(user_id) ?? 0,
      holder,
      lease_until: leaseTime.now() + asked.configuration.asking.lease_seconds * 1000,
      reserved,
      // It is asked now: limits count it from now on.
      create_time: now,
      start_time: queueing ? null : now,
      charged: chargedOf(ask),
    })
    if (!started) throw new NotQuiet('it waits no more')
    if (conversation_id === null) throw new Refusal('conversationNotFound')
    const charge = { ask_id, user_id, source: ask.source, model: ask.model, charged: chargedOf(ask), now }
    await Promise.all([
      reserve(trx, charge, reserved),
      conversationStore(trx).change(conversation_id, { upstream_id: upstream.id, source_id: destination.source_id }),
      markFilesUsed(trx, admitted, source.filesAre),
      ...(answer === null ? [] : persistShare(trx, locked.pools, answer, admitted)),
    ])
    upstreams.noteAsked(upstream.id)
    return admitted
  }
}
