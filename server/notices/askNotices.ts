import { LONG_WAIT_SECONDS } from '#contract/longWait.ts'
import type { Outcome } from '#contract/asking.ts'
import type { Clock } from '#server/foundation/clock.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import type { Log } from '#server/foundation/logging.ts'
import { noticeStore } from './store.ts'

type Dependencies = {
  open: OpenDatabase
  clock: Pick<Clock, 'now'>
  log: Log
  wake(): void
  isNotified(user_id: number): boolean
}

type Ask = { user_id: number; conversation_id: string | null; create_time: number; start_time: number | null }

/** What is noted in the life of an ask, of people who are told in a browser, and of asks that have a conversation. */
export type AskNotices = ReturnType<typeof openAskNotices>

export function openAskNotices({ open, clock, log, wake, isNotified }: Dependencies) {
  function note(
    database: Database,
    ask: Ask,
    notice: { kind: 'answer' | 'turn'; seconds: number | null; has_failed: boolean },
  ) {
    const { user_id, conversation_id } = ask
    if (conversation_id === null || !isNotified(user_id)) return null
    const { kind, ...of } = notice
    const now = clock.now()
    const details = { conversation_id, ...of }
    return noticeStore(database).insert({ user_id, kind, due_time: now, create_time: now, details })
  }

  return {
    /** Its turn has come: told to whoever waited long. */
    async turn(ask: Omit<Ask, 'start_time'>): Promise<void> {
      if (clock.now() - ask.create_time < LONG_WAIT_SECONDS * 1000) return
      try {
        const noted = note(
          open.database,
          { ...ask, start_time: null },
          { kind: 'turn', seconds: null, has_failed: false },
        )
        if (noted === null) return
        await noted
        wake()
      } catch (cause) {
        log.warn({ err: cause }, 'a notice could not be stored')
      }
    },

    /** It has ended, by the transaction in which it does. Call `wake` after the commit. */
    async ended(trx: Database, ask: Ask, outcome: Outcome): Promise<void> {
      if (outcome === 'stopped') return
      const seconds = ask.start_time === null ? null : Math.max(0, Math.round((clock.now() - ask.start_time) / 1000))
      await note(trx, ask, { kind: 'answer', seconds, has_failed: outcome !== 'finished' })
    },

    wake: (user_id: number): void => {
      if (isNotified(user_id)) wake()
    },
  }
}
