import * as z from 'zod/mini'
import { CONVERSATION_JOB } from '#contract/conversationAdministration.ts'
import { KEEPING_JOB, KeepingResult } from '#contract/keeping.ts'
import type { Clock } from '#server/foundation/clock.ts'
import { recordAudit } from '#server/audit/audit.ts'
import type { OpenDatabase, Transaction } from '#server/foundation/database/open.ts'
import type { Progress } from '#server/foundation/database/schema/portal.ts'
import { forgetInputs } from '#server/foundation/jobs/store.ts'
import type { Job, Run } from '#server/foundation/jobs/job.ts'
import { endingStore, type Ending, withdrawnStore } from '../endingStore.ts'
import { agedBefore, DAY, type KeepingTerms, NOTICE_MS, type Terms, type TermsOf } from '../terms.ts'
import type { Begin, Purge } from './purge.ts'

/** Conversations that are read at a time. */
const BATCH = 20
/** Milliseconds for which an upstream may refuse to hide what ends. Then it goes here all the same. */
const PATIENCE_MS = 7 * DAY

type Dependencies = {
  open: OpenDatabase
  clock: Clock
  terms: Pick<KeepingTerms, 'readAll' | 'cleaningFrom'>
  purge: Pick<Purge, 'end' | 'removeWithdrawn'>
  /** Something was removed. */
  onRemoved(): Promise<unknown>
}

const STEPS = ['announce', 'aged', 'deleted', 'withdrawn'] as const
type Step = (typeof STEPS)[number]

/**
 * How far it has come: the people of a step are taken in the order of their ids, nobody first. `counted`: of whom
 * something went already, behind `after`.
 */
const Cursor = z.object({
  step: z.enum(STEPS),
  after: z.nullable(z.int()),
  counted: z.optional(z.int()),
  audited: z.optional(z.boolean()),
  result: KeepingResult,
})
type Cursor = z.infer<typeof Cursor>

const NOTHING: KeepingResult = { announced: 0, aged: 0, deleted: 0, withdrawn: 0, files: 0, refused: 0, people: 0 }

/** Of one person. */
type Share = {
  user_id: number | null
  terms: Terms
  signal: AbortSignal
  /** Begins the end of a conversation, which is counted in the same transaction. */
  begin(kind: Ending['kind'], work: Parameters<Begin>[0]): Promise<boolean>
}

/**
 * Removes for good, person by person, what is past its time. Whatever is removed is found again by nobody, so that a
 * run that is repeated after a crash does nothing twice; what a crash has left half removed is finished by the job of
 * unfinished deletions. A conversation is counted in the transaction that begins its end: so the audit is right
 * however often the run was cut short.
 */
export function keepingJob(dependencies: Dependencies): Job {
  const { open, clock, terms, onRemoved } = dependencies
  const steps = stepsOf(dependencies)

  async function run({ progress, signal, save, saveWith }: Run<null>) {
    let cursor: Cursor =
      progress === null ? { step: 'announce', after: null, result: NOTHING } : Cursor.parse(progress.cursor)
    const termsOf = await terms.readAll()
    const total = (progress?.total ?? 0) || (await countAll(dependencies, termsOf))
    const toProgress = ({ result, ...at }: Cursor): Progress => ({
      done: result.aged + result.deleted,
      total: Math.max(total, result.aged + result.deleted),
      cursor: { ...at, result },
    })
    async function saveReached(work: (trx: Transaction) => Promise<Cursor>): Promise<Cursor> {
      let reached = cursor
      await saveWith(async trx => toProgress((reached = await work(trx))))
      return (cursor = reached)
    }
    for (const step of STEPS.slice(STEPS.indexOf(cursor.step))) {
      const { after } = cursor.step === step ? cursor : { after: null }
      for (const user_id of ordered(await steps[step].people()).filter(id => isBehind(id, after))) {
        signal.throwIfAborted()
        if (cursor.step !== step) cursor = { step, after: null, result: cursor.result }
        const begin: Share['begin'] = async (kind, work) => {
          const before = cursor
          const reached = await saveReached(async trx => ((await work(trx)) ? counted(before, kind, user_id) : before))
          return reached !== before
        }
        const removed = await steps[step].run({ user_id, terms: termsOf(user_id), signal, begin })
        cursor = { step, after: user_id ?? 0, result: sumOf(cursor.result, removed) }
        await save(toProgress(cursor))
      }
    }
    // A change by words of titles says them.
    await forgetInputs(open.database, CONVERSATION_JOB)
    await endingStore(open.database).forgetDeletions(clock.now() - DAY)
    if (sizeOf(cursor.result) > 0) {
      if (cursor.audited !== true)
        await saveReached(async trx => {
          await auditResult(trx, cursor.result)
          return { ...cursor, audited: true }
        })
      await onRemoved()
    }
    return cursor.result
  }

  return {
    name: KEEPING_JOB,
    every: DAY + DAY / 24, // the longest day of the year
    at: now => terms.cleaningFrom(now),
    longest: DAY,
    run,
  }
}

/** Nobody has the id 0. */
const ordered = (people: readonly (number | null)[]) => people.toSorted((one, other) => (one ?? 0) - (other ?? 0))
const isBehind = (user_id: number | null, after: number | null): boolean => after === null || (user_id ?? 0) > after

/** One more conversation of a person. */
const counted = (cursor: Cursor, kind: Ending['kind'], user_id: number | null): Cursor => ({
  ...cursor,
  counted: user_id ?? 0,
  result: sumOf(cursor.result, { [kind]: 1, people: cursor.counted === (user_id ?? 0) ? 0 : 1 }),
})

function sumOf(result: KeepingResult, removed: Partial<KeepingResult>): KeepingResult {
  const sum = (name: keyof KeepingResult) => result[name] + (removed[name] ?? 0)
  return {
    announced: sum('announced'),
    aged: sum('aged'),
    deleted: sum('deleted'),
    withdrawn: sum('withdrawn'),
    files: sum('files'),
    refused: sum('refused'),
    people: sum('people'),
  }
}

const sizeOf = ({ aged, deleted, withdrawn }: KeepingResult): number => aged + deleted + withdrawn

/** How much went, and of how many people; not what. */
const auditResult = (trx: Transaction, { aged, deleted, withdrawn, files, people }: KeepingResult) =>
  recordAudit(trx, {
    action: 'conversations.purged',
    subject: { kind: 'conversations', id: null },
    after: { aged, deleted, withdrawn, files, people },
  })

type Steps = Record<
  Step,
  { people(): Promise<readonly (number | null)[]>; run(share: Share): Promise<Partial<KeepingResult>> }
>

function stepsOf({ open, clock, purge }: Dependencies): Steps {
  const store = endingStore(open.database)
  const withdrawn = withdrawnStore(open.database)

  async function announce({ user_id, terms }: Share) {
    const now = clock.now()
    const isFor = terms.conversation_days >= 0 && !terms.is_held
    const used = isFor ? now - Math.max(0, terms.conversation_days * DAY - NOTICE_MS) : 0
    await store.withdrawNotices(user_id, used)
    return { announced: isFor ? await store.announce(user_id, used, now) : 0 }
  }

  /** Those that began to go are counted already. */
  async function endAll({ user_id, signal, begin }: Share, ending: Ending) {
    const patient = patientEnding(ending)
    const ended = { files: 0, refused: 0 }
    let began = 0
    for (let after = 0; ;) {
      const rows = await store.ending(user_id, ending, { after, limit: BATCH })
      for (const row of rows) {
        signal.throwIfAborted()
        after = row.id
        const anyway = ending.kind === 'deleted' && row.ends_from !== null && row.ends_from <= patient
        const one = await purge.end(row, ending, {
          ...{ signal, anyway },
          begin: work => begin(ending.kind, work),
        })
        if (one === null) continue
        began += 1
        if (one.refusal !== null) ended.refused += 1
        ended.files += one.files
      }
      if (rows.length < BATCH) break
    }
    return { ...ended, [ending.kind]: -ended.refused, people: began > 0 && began === ended.refused ? -1 : 0 }
  }

  return {
    announce: { people: () => store.owners('aged'), run: announce },
    aged: {
      people: () => store.owners('aged'),
      run: async share => {
        const ending = agedEnding(share.terms, clock.now())
        return ending === null ? {} : endAll(share, ending)
      },
    },
    deleted: {
      people: () => store.owners('deleted'),
      run: async share => {
        const ending = deletedEnding(share.terms, clock.now())
        return ending === null ? {} : endAll(share, ending)
      },
    },
    withdrawn: {
      people: () => withdrawn.owners(clock.now()),
      run: async ({ user_id, terms, signal }) => {
        const ending = deletedEnding(terms, clock.now())
        const removed = { withdrawn: 0, files: 0 }
        if (ending === null) return removed
        for (;;) {
          const conversations = await withdrawn.conversations(user_id, ending.before, BATCH)
          if (conversations.length === 0) return removed
          for (const conversation of conversations) {
            signal.throwIfAborted()
            const { messages, files } = await purge.removeWithdrawn(conversation, ending.before)
            removed.withdrawn += messages
            removed.files += files
          }
        }
      },
    },
  }
}

/** Which deleted conversations of a person go now; null: none. */
export const deletedEnding = ({ deleted_days, is_held }: Terms, now: number) =>
  is_held ? null : { kind: 'deleted' as const, before: now - deleted_days * DAY }

/** Which of their conversations go now for their age; null: none. */
export const agedEnding = (terms: Terms, now: number) =>
  terms.is_held || terms.conversation_days < 0 ? null : { kind: 'aged' as const, ...agedBefore(now, terms) }

const patientEnding = (ending: Ending): number => (ending.kind === 'deleted' ? ending.before - PATIENCE_MS : 0)

async function countAll({ open, clock }: Dependencies, termsOf: TermsOf): Promise<number> {
  const store = endingStore(open.database)
  const now = clock.now()
  let all = 0
  for (const [kind, endingOf] of [['aged', agedEnding] as const, ['deleted', deletedEnding] as const]) {
    for (const user_id of await store.owners(kind)) {
      const ending = endingOf(termsOf(user_id), now)
      if (ending !== null) all += await store.countEnding(user_id, ending)
    }
  }
  return all
}
