import { setTimeout as pause } from 'node:timers/promises'
import * as z from 'zod/mini'
import {
  CONVERSATION_ACTIONS,
  CONVERSATION_JOB,
  ConversationChangeResult,
  ConversationFilter,
} from '#contract/conversationAdministration.ts'
import { userStore } from '#server/users/store.ts'
import { requireSuperuser } from '#server/users/directory.ts'
import { continueAudit, recordAudit } from '#server/audit/audit.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import { EndedEarly, type Job, type UnfinishedRun, type Run } from '#server/foundation/jobs/job.ts'
import type { Progress } from '#server/foundation/database/schema/portal.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Sources } from '#server/sources/source.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { type Engine, forUpdate } from '#server/foundation/database/schema/definition.ts'
import { everyConversation } from './store.ts'
import type { Purge } from './purge.ts'
import { auditAssignment } from '../auditing.ts'
import { type ConversationRow, hidden, isVanishing, SHOWN } from '../store.ts'

/** Conversations of one transaction. */
const BATCH_SIZE = 50
/** Conversations of one transaction that destroys them, since each may be large. */
const PURGE_BATCH_SIZE = 5
/** Conversations that could not be changed and are named in the result, when they were chosen by a filter. */
const MAX_NAMED = 100

const Input = z.object({
  action: z.enum(CONVERSATION_ACTIONS),
  /** Either these, or those that meet the filter. */
  ids: z.nullable(z.array(z.int())),
  filter: z.nullable(ConversationFilter),
  /** Epoch milliseconds. */
  before: z.int(),
  user_id: z.nullable(z.int()),
  deletion: z.nullable(z.int()),
  by: z.int(),
})
export type ChangeInput = z.infer<typeof Input>

/** Where people stand in it; `owner` is of its filter. */
export const USER_FIELDS_OF_CHANGE = ['by', 'user_id', 'owner']

/** How far it has come: conversations are taken in the order of their row ids. */
/** `audit`: the row that says what was changed. */
const Cursor = z.object({ after: z.int(), result: ConversationChangeResult, audit: z.optional(z.int()) })
type Cursor = z.infer<typeof Cursor>

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  purge: Pick<Purge, 'empty'>
  sources: Pick<Sources, 'noteChange' | 'sendChanges'>
  /** Conversations were destroyed. */
  onRemoved(): Promise<unknown>
  /** Conversations were hidden. */
  onHidden(): void
}

/**
 * Changes conversations a few at a time. What a transaction changes is stored together with how far the job has come,
 * so that whoever goes on after a crash does nothing twice and leaves nothing out.
 */
export function conversationJob({ open, clock, purge, sources, onRemoved, onHidden }: Dependencies): Job<ChangeInput> {
  const count = ({ filter, before }: ChangeInput, after: number) =>
    everyConversation(open.readOnly(), open.engine).count({ ...filter, before }, after)

  const surroundings = () => ({ engine: open.engine, now: clock.now(), sources })

  async function nextOf({ action, ids, filter, before }: ChangeInput, after: number): Promise<number[]> {
    const size = action === 'vanish' ? PURGE_BATCH_SIZE : BATCH_SIZE
    return ids === null
      ? everyConversation(open.readOnly(), open.engine).idsAfter({ ...filter, before }, after, size)
      : ids
          .filter(id => id > after)
          .toSorted((one, other) => one - other)
          .slice(0, size)
  }

  /**
   * Empties conversations before they are deleted. They are hidden first, so that nobody sees one of which a part is
   * gone. A conversation that its upstream does not hide stays hidden here, and can be tried again.
   */
  async function emptyAll(ids: readonly number[], change: Change, signal: AbortSignal): Promise<Failed[]> {
    await open.transaction(trx => changeSome(trx, ids, { ...change, action: 'hide' }, surroundings()))
    const failed: Failed[] = []
    for (const conversation of await everyConversation(open.database, open.engine).list(ids)) {
      const refusal = await purge.empty(conversation, signal)
      if (refusal !== null) failed.push({ reason: refusal.key, ids: [conversation.id] })
    }
    return failed
  }

  async function goOn(
    { input, progress }: UnfinishedRun<ChangeInput>,
    by: number,
  ): Promise<UnfinishedRun<ChangeInput>> {
    if (input.user_id !== null && (await userStore(open.database).find(input.user_id)) === undefined)
      throw new Refusal('userNotFound')
    const { after } = reachedBy(input, progress)
    const ids = input.ids?.filter(id => id > after)
    const isThere = async () =>
      ids === undefined || (await everyConversation(open.readOnly(), open.engine).list(ids)).length > 0
    const left = ids?.length ?? (await count(input, after))
    if (left === 0 || !(await isThere())) throw new Refusal('nothingLeftToDo')
    return { input: { ...input, by }, progress: progress && { ...progress, total: progress.done + left } }
  }

  async function run({ input, progress, signal, save, saveWith }: Run<ChangeInput>) {
    const total = progress?.total ?? input.ids?.length ?? (await count(input, 0))
    let reached = reachedBy(input, progress)
    const toProgress = (cursor: Cursor): Progress => ({ done: sumOf(cursor), total, cursor })
    await save(toProgress(reached))
    while (true) {
      const began = performance.now()
      const ids = await nextOf(input, reached.after)
      if (ids.length === 0) {
        if (input.action === 'vanish' && reached.result.done > 0) await onRemoved()
        if (input.action === 'hide') onHidden()
        return reached.result
      }
      if (signal.aborted) throw new EndedEarly(reached.result)
      await requireSuperuser(open.database, input.by)
      const failed = input.action === 'vanish' ? await emptyAll(ids, input, signal) : []
      const left = ids.filter(id => failed.every(each => !each.ids.includes(id)))
      let next = reached
      await saveWith(async trx => {
        const { failed: others, ...changed } = await changeSome(trx, left, input, surroundings())
        const outcome = { ...changed, failed: [...failed, ...others] }
        const result = withOutcome(reached.result, outcome, input.ids !== null)
        const audit = await audited(trx, reached.audit, input, result)
        next = { after: ids.at(-1) ?? reached.after, result, ...(audit !== undefined && { audit }) }
        return toProgress(next)
      })
      sources.sendChanges()
      reached = next
      // At most half of the time.
      await pause(performance.now() - began)
    }
  }

  return { name: CONVERSATION_JOB, input: value => Input.parse(value), run, goOn }
}

const reachedBy = (input: ChangeInput, progress: Progress | null): Cursor =>
  progress === null ? beginningOf(input) : Cursor.parse(progress.cursor)

const sumOf = ({ result: { done, already, failed } }: Cursor): number => done + already + failed

const beginningOf = ({ action, deletion }: ChangeInput): Cursor => ({
  after: 0,
  result: { action, deletion, done: 0, already: 0, failed: 0, done_ids: [], already_ids: [], failed_ids: {} },
})

function withOutcome(
  before: ConversationChangeResult,
  { done, already, failed }: Outcome,
  areNamed: boolean,
): ConversationChangeResult {
  const named = {
    ...before,
    done: before.done + done.length,
    already: before.already + already.length,
    ...(areNamed && {
      done_ids: [...before.done_ids, ...done],
      already_ids: [...before.already_ids, ...already],
    }),
  }
  return failed.reduce((result, { reason, ids }) => {
    const room = areNamed ? ids.length : Math.max(0, MAX_NAMED - result.failed)
    const known = result.failed_ids[reason] ?? []
    return {
      ...result,
      failed: result.failed + ids.length,
      ...(room > 0 && { failed_ids: { ...result.failed_ids, [reason]: [...known, ...ids.slice(0, room)] } }),
    }
  }, named)
}

/** One row for all that a run changes; of those that are assigned by id there is one for each. */
async function audited(
  trx: Transaction,
  audit: number | undefined,
  { action, user_id, deletion, ids }: ChangeInput,
  { done }: ConversationChangeResult,
): Promise<number | undefined> {
  if (done === 0 || (action === 'assign' && ids !== null)) return audit
  const after = { action, conversations: done, ...(action === 'assign' && { owner: user_id }) }
  if (audit !== undefined) await continueAudit(trx, audit, after)
  const subject = { kind: 'conversations', id: deletion } as const
  return audit ?? recordAudit(trx, { action: 'conversations.changed', subject, after })
}

/**
 * `deletion`: the deletion that hidden conversations belong to. `user_id`: to whom they are assigned. `by`: who makes
 * the change.
 */
type Change = Pick<ChangeInput, 'action' | 'user_id' | 'deletion' | 'by' | 'ids'>

/** What has become of conversations, by their row ids. */
type Outcome = { done: number[]; already: number[]; failed: Failed[] }
type Failed = { reason: RefusalKey; ids: number[] }

type Surroundings = { engine: Engine; now: number; sources: Pick<Sources, 'noteChange'> }

/**
 * Changes some conversations in a transaction. Their rows are locked, so that of two administrators one changes them
 * and the other finds them changed. One that is gone is destroyed already, and cannot be changed in any other way.
 */
async function changeSome(
  trx: Transaction,
  ids: readonly number[],
  change: Change,
  { engine, now, sources }: Surroundings,
): Promise<Outcome> {
  if (ids.length === 0) return { done: [], already: [], failed: [] }
  const locked = await trx
    .selectFrom('conversations')
    .select(['id', 'conversation_id', 'is_valid', 'user_id', 'vanish_time'])
    .where('id', 'in', ids)
    .orderBy('id')
    .$call(forUpdate(engine))
    .execute()
  // What is being removed is not brought back.
  const isThere = (row: Pick<ConversationRow, 'is_valid' | 'vanish_time'>) =>
    change.action !== 'restore' || !isVanishing(row)
  const rows = locked.filter(isThere)
  const there = new Set(rows.map(({ id }) => id))
  const gone = ids.filter(id => !there.has(id))
  if (change.action === 'vanish') {
    const done = [...there]
    if (done.length > 0) await trx.deleteFrom('conversations').where('id', 'in', done).execute()
    return { done, already: gone, failed: [] }
  }
  if (change.action === 'assign' && (await userStore(trx).find(change.user_id ?? 0)) === undefined)
    return { done: [], already: [], failed: [{ reason: 'userNotFound', ids: [...ids] }] }
  const isSo = stateOf(change)
  const changing = rows.filter(row => !isSo(row))
  const done = changing.map(({ id }) => id)
  if (change.action === 'assign' && change.ids !== null)
    for (const row of changing) await auditAssignment(trx, row.conversation_id, row.user_id, change.user_id)
  if (done.length > 0)
    await trx.updateTable('conversations').set(valuesOf(change, now)).where('id', 'in', done).execute()
  if (done.length > 0 && change.action !== 'assign') await sources.noteChange(trx, { ids: done }, 'visibility', now)
  return {
    done,
    already: rows.filter(isSo).map(({ id }) => id),
    failed: gone.length === 0 ? [] : [{ reason: 'conversationNotFound', ids: gone }],
  }
}

type State = { is_valid: boolean; user_id: number | null }

/** Whether a conversation is already as the change would leave it. */
function stateOf({ action, user_id }: Change): (row: State) => boolean {
  if (action === 'assign') return row => row.user_id === user_id
  return row => row.is_valid === (action === 'restore')
}

function valuesOf({ action, user_id, deletion, by }: Change, now: number) {
  if (action === 'assign') return { user_id, update_time: now }
  return action === 'restore' ? SHOWN : hidden(now, by, deletion)
}
