import { expect, test } from 'vitest'
import { queuePositions, queueStore } from '#server/asks/queueStore.ts'
import { firstUpstream, storedAsk } from '#testing/asks.ts'
import { eachDatabase } from '#testing/database.ts'
import { randomFrom } from '#testing/random.ts'
import { turnOrder } from './lockedQueues.ts'

eachDatabase((_, open) => {
  test('everybody is told the position that turns give them, whoever borrows and has lent', async () => {
    const opened = await open()
    const { database } = opened
    const upstream_id = await firstUpstream(database)
    const random = randomFrom(7)
    for (let ticket = 1; ticket <= 40; ticket++) {
      const turn = { borrows: random.percent(50), round: random.below(3), lent: random.below(3) * 1_000 }
      await storedAsk(opened, { upstream_id, ask_state: 'queueing', start_time: null, ticket, ...turn })
    }
    const waiting = await queueStore(database).entries(upstream_id)
    const positions = new Map((await queuePositions(database).execute()).map(each => [each.user_id, each.position]))
    expect(turnOrder(waiting).map(({ user_id }) => positions.get(user_id))).toEqual(waiting.map((_each, at) => at + 1))
  })
})
