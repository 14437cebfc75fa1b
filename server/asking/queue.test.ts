import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { heldUpstream } from '#testing/heldUpstream.ts'
import { bringsText, type Chat, type Frame, type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

/** A portal whose account answers so many at once; who is being answered is for the test to say. */
async function aPortal(storage: NewStorage, max_completion_concurrency: number) {
  const upstream = await heldUpstream()
  const portal = await startPortal({ storage: await storage(), environment: { OPENAI_BASE_URL: upstream.base_url } })
  const setConcurrency = (count: number) =>
    portal.admin.result('PUT', '/system/config', { openai_api: { max_completion_concurrency: count } })
  await setConcurrency(max_completion_concurrency)
  return { ...portal, upstream, setConcurrency }
}

type Waiting = { name: string; person: Person; chat: Chat }

/** They ask one after the other, so that their order is known: the first is answered, the others wait. */
async function line(
  portal: Awaited<ReturnType<typeof aPortal>>,
  count: number,
  oldClients: readonly number[] = [],
): Promise<Waiting[]> {
  const all: Waiting[] = []
  for (let index = 0; index < count; index++) {
    const name = `question ${index}`
    const person = await portal.person()
    const chat = await person.chat(question(name, { new_title: name }), oldClients.includes(index) ? null : undefined)
    await chat.until(frame => frame.type === (index === 0 ? 'waiting' : 'queueing'))
    all.push({ name, person, chat })
  }
  return all
}

const positionsOf = ({ chat }: Waiting): number[] =>
  chat.frames.filter(frame => frame.type === 'queueing').map(frame => Number(frame['place']))
const at = (position: number) => (frame: Frame) => frame.type === 'queueing' && frame['place'] === position
const ended = (frame: Frame) => frame.type === 'finished' || frame.type === 'error'

eachStorage((_name, storage) => {
  describe('the queue', () => {
    test('of twenty keeps its order, frees the positions of leavers at once and lets nobody starve', async () => {
      const portal = await aPortal(storage, 1)
      const { upstream, admin } = portal
      const all = await line(portal, 20, [5])
      for (const [index, waiting] of all.entries())
        if (index > 0 && index !== 5) expect(positionsOf(waiting)[0]).toBe(index)
      expect(await admin.result('GET', '/status/common')).toMatchObject({
        is_chatbot_busy: true,
        chatbot_waiting_count: 19,
      })

      // One stops, one closes an old client, one is removed: everybody behind them moves up.
      all[3]?.chat.send({ stop: true })
      expect(await all[3]?.chat.until(ended)).toMatchObject({ type: 'finished', outcome: 'stopped', charged: false })
      await all[4]?.chat.until(at(3))
      all[5]?.chat.leave()
      await all[6]?.chat.until(at(4))
      await admin.result('DELETE', `/user/${all[7]?.person.id}`)
      await all[8]?.chat.until(at(5))
      await all[19]?.chat.until(at(16))

      // The head fails, which is nobody else's matter.
      upstream.answer('question 0')
      await upstream.arrived('question 1')
      await all[1]?.chat.until(bringsText) // or it would be asked once more
      upstream.fail('question 1')
      expect(await all[1]?.chat.until(ended)).toMatchObject({ type: 'error', tip: 'errors.httpError' })
      await upstream.arrived('question 2')
      upstream.letGo()

      const staying = all.filter((_waiting, index) => ![3, 5, 7].includes(index))
      for (const [index, { chat }] of staying.entries())
        if (index !== 1) expect(await chat.until(ended)).toMatchObject({ outcome: 'finished', charged: true })
      expect(upstream.asked).toEqual(staying.map(({ name }) => name))
      expect(upstream.most).toBe(1)
      for (const waiting of staying)
        expect(positionsOf(waiting)).toEqual(positionsOf(waiting).toSorted((a, b) => b - a))
      expect(await admin.result('GET', '/status/common')).toMatchObject({
        is_chatbot_busy: false,
        chatbot_waiting_count: 0,
      })
      const left = await portal.app.services.open.database
        .selectFrom('asks')
        .select('ask_id')
        .where('ask_state', '!=', 'done')
        .execute()
      expect(left).toEqual([])
    })

    test('of all who come in the same instant has as many answered as may run at once, and no two at the same position', async () => {
      const portal = await aPortal(storage, 3)
      const chats = await Promise.all(
        Array.from({ length: 12 }, async (_, index) => {
          const silent = await (await portal.person()).silent()
          return { silent, first: question(`question ${index}`, { new_title: `question ${index}` }) }
        }),
      )
      for (const { silent, first } of chats) silent.send(first)
      const firstFrames = await Promise.all(
        chats.map(({ silent }) => silent.until(frame => frame.type === 'waiting' || frame.type === 'queueing')),
      )
      expect(firstFrames.filter(frame => frame.type === 'waiting')).toHaveLength(3)
      expect(
        firstFrames
          .flatMap(frame => (frame.type === 'queueing' ? [Number(frame['place'])] : []))
          .toSorted((a, b) => a - b),
      ).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
      const { rows } = await sql<{
        tickets: number
        asks: number
      }>`select count(distinct ticket) as tickets, count(*) as asks from asks`.execute(
        portal.app.services.open.database,
      )
      expect(rows).toEqual([{ tickets: 12, asks: 12 }])
    })

    test('goes round the people: nobody’s second question comes before everybody’s first', async () => {
      const portal = await aPortal(storage, 1)
      const { upstream, admin } = portal
      await admin.result('PUT', '/system/config', { asking: { max_running_asks_per_user: 5 } })
      const [lin, mei] = [await portal.person(), await portal.person()]
      const chats: Chat[] = []
      for (const [person, text] of [
        [lin, 'lin 1'],
        [lin, 'lin 2'],
        [lin, 'lin 3'],
        [mei, 'mei 1'],
        [mei, 'mei 2'],
      ] as const) {
        const chat = await person.chat(question(text, { new_title: text }))
        await chat.until(frame => frame.type === 'waiting' || frame.type === 'queueing')
        chats.push(chat)
      }
      upstream.letGo()
      await Promise.all(chats.map(chat => chat.closed))
      expect(upstream.asked).toEqual(['lin 1', 'mei 1', 'lin 2', 'mei 2', 'lin 3'])
    })

    test('follows a changed concurrency without a restart: more start at once, fewer as others end', async () => {
      const portal = await aPortal(storage, 1)
      const { upstream, setConcurrency } = portal
      const all = await line(portal, 8)
      await setConcurrency(3)
      await Promise.all([1, 2].map(index => upstream.arrived(`question ${index}`)))
      await all[3]?.chat.until(at(1))
      expect(upstream.most).toBe(3)
      await setConcurrency(1)
      // Those that run are left to end; each end is followed by a check of the queue.
      for (const index of [0, 1]) {
        upstream.answer(`question ${index}`)
        await all[index]?.chat.until(ended)
      }
      upstream.most = upstream.running
      upstream.answer('question 2')
      await upstream.arrived('question 3')
      upstream.letGo()
      for (const { chat } of all) expect(await chat.until(ended)).toMatchObject({ outcome: 'finished' })
      expect(upstream.most).toBe(1)
      // The second and the third began at the same moment.
      expect(upstream.asked.slice(0, 3).toSorted()).toEqual(all.slice(0, 3).map(({ name }) => name))
      expect(upstream.asked.slice(3)).toEqual(all.slice(3).map(({ name }) => name))
    })

    test('that is full takes nobody else, and takes the next when one has left', async () => {
      const portal = await aPortal(storage, 1)
      await portal.admin.result('PUT', '/system/config', { asking: { max_queue_length: 2 } })
      const all = await line(portal, 3)
      const late = await portal.person()
      const refused = await late.chat(question('late', { new_title: 'x' }))
      expect(await refused.closed).toEqual({ code: 1008, reason: 'errors.queueFull' })
      all[1]?.chat.send({ stop: true })
      await all[1]?.chat.until(ended)
      const taken = await late.chat(question('late', { new_title: 'x' }))
      expect(await taken.until(frame => frame.type === 'queueing')).toMatchObject({ place: 2 })
      portal.upstream.letGo()
      expect(await taken.until(ended)).toMatchObject({ outcome: 'finished' })
    })
  })
})
