import {
  CONVERSATION_JOB,
  type ConversationChange,
  type ConversationFilter,
  type Deletion,
} from '#contract/conversationAdministration.ts'
import { namesOf } from '#server/users/store.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import type { Jobs } from '#server/foundation/jobs/jobs.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { deletionStore } from '../deletionStore.ts'
import { iso } from '../history.ts'
import type { ChangeInput } from './job.ts'

/** Milliseconds that a client waits for the deletion of everything; then it goes on without being waited for. */
const MAX_WAIT = 10_000
/** Deletions of a list. */
const LATEST = 20

type Dependencies = { open: OpenDatabase; clock: Clock; jobs: Jobs }

/** Changes of many conversations at once, each a job under a key of its own. */
export function openConversationAdministration({ open, clock, jobs }: Dependencies) {
  async function start(input: ChangeInput): Promise<string> {
    // Whoever sees the key in the list of jobs knows what is being done.
    const key = `${input.action}-${newId()}`
    await jobs.start(CONVERSATION_JOB, { key, input, started_by: input.by })
    return key
  }

  const recordDeletion = async (deleted_by: number, of_all = false) =>
    (await deletionStore(open.database).insert({ create_time: clock.now(), deleted_by, of_all })).id

  async function change(by: number, { action, ids, filter, before, user_id }: ConversationChange) {
    const deletion = action === 'hide' ? await recordDeletion(by, isOfAll(filter)) : null
    const key = await start({
      action,
      ids: ids === undefined ? null : [...new Set(ids)],
      filter: filter ?? null,
      before: Math.min(clock.now(), before === undefined ? Infinity : Date.parse(before)),
      user_id: user_id ?? null,
      deletion,
      by,
    })
    return { key, deletion }
  }

  return {
    change,

    async deletions(): Promise<Deletion[]> {
      const rows = await deletionStore(open.readOnly()).latest(LATEST)
      const nameOf = await namesOf(
        open.database,
        rows.map(({ deleted_by }) => deleted_by),
      )
      return rows.map(({ id, create_time, deleted_by, of_all, hidden }) => ({
        id,
        time: iso(create_time),
        by: nameOf(deleted_by),
        of_all,
        hidden,
      }))
    },

    async restoreDeletion(by: number, id: number): Promise<{ key: string }> {
      if ((await deletionStore(open.database).find(id)) === undefined) throw new Refusal('deletionNotFound')
      const filter = { deletion: String(id) }
      return {
        key: await start({
          action: 'restore',
          ids: null,
          filter,
          before: clock.now(),
          user_id: null,
          deletion: null,
          by,
        }),
      }
    },

    /** Hides everybody's conversations. Old clients show the list as soon as this answers. */
    async hideAll(by: number): Promise<void> {
      const { key } = await change(by, { action: 'hide', filter: { state: 'valid' } })
      await jobs.waitForEnd(CONVERSATION_JOB, key, MAX_WAIT)
    },
  }
}

/** Whether a filter leaves nothing out that can be hidden. */
const isOfAll = (filter: ConversationFilter | undefined): boolean =>
  filter !== undefined &&
  Object.entries(filter).every(
    ([name, value]) => value === undefined || value === '' || (name === 'state' && value === 'valid'),
  )

export type ConversationAdministration = ReturnType<typeof openConversationAdministration>
