import { pino } from 'pino'
import { onTestFinished } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { Preferences } from '#contract/preferences.ts'
import { testClock } from '#testing/clock.ts'
import { startPushService } from '#testing/pushService.ts'
import { storedConversation, storedUser } from '#testing/rows.ts'
import { openBus } from '#server/foundation/database/bus.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { newId } from '#server/foundation/ids.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import type { OpensAt } from './delivery.ts'
import { openNotices } from './notices.ts'

export const START = 1_800_000_000_000
const box = { seal: (text: string) => `sealed ${text}`, open: (sealed: string) => sealed.replace('sealed ', '') }

/** Notices of a portal, and a push service; nothing is sent but by `deliver`. */
export async function someNotices(open: OpenDatabase) {
  const clock = testClock(START)
  const service = await startPushService()
  const state = {
    settings: { auth: { allow_private_custom_urls: ['127.0.0.1'] } } as Parameters<typeof Configuration.parse>[0] &
      object,
    preferences: {} as object,
    opensAt: (async () => 'now') as OpensAt,
  }
  const bus = await openBus(open)

  /** Of one of the processes that share the database. */
  async function process(secretBox = box) {
    const outbound = openOutbound()
    const notices = await openNotices({
      open,
      bus,
      clock,
      log: pino({ level: 'silent' }),
      outbound,
      secretBox,
      env: {},
      configuration: () => Configuration.parse(state.settings),
      preferencesOf: async () => Preferences.parse(state.preferences),
      opensAt: (...asked) => state.opensAt(...asked),
    })
    onTestFinished(async () => {
      await notices.close()
      await outbound.close()
    })
    return notices
  }

  /** Somebody with a session. */
  async function person() {
    const id = await storedUser(open.database)
    const session = newId()
    await startSession(open, { id, session })
    return { id, session }
  }

  const notices = await process()
  onTestFinished(() => bus.close())
  return {
    notices,
    process,
    clock,
    service,
    state,
    person,
    /** Somebody who is told in a browser, and has a conversation. */
    async notifiedPerson({ title = '三年电费的图' as string | null } = {}) {
      const user = await person()
      const browser = service.browser()
      await notices.addDevice(user, browser.subscription)
      return { user, browser, conversation_id: await storedConversation(open.database, { user_id: user.id, title }) }
    },
    /** An answer of theirs is ready, after three minutes. */
    async answered(
      { id }: { id: number },
      conversation_id: string | null,
      outcome: 'finished' | 'failed' | 'stopped' = 'finished',
    ) {
      const ask = {
        user_id: id,
        conversation_id,
        create_time: clock.now() - 200_000,
        start_time: clock.now() - 180_000,
      }
      await open.transaction(trx => notices.ofAsks.ended(trx, ask, outcome))
    },
  }
}

export const startSession = (open: OpenDatabase, { id, session }: { id: number; session: string }) =>
  open.database
    .insertInto('sessions')
    .values({
      token_hash: session,
      user_id: id,
      create_time: START,
      last_seen_time: START,
      expire_time: START + 86_400_000,
      user_agent: null,
      address: null,
    })
    .execute()
