import { describe, expect, test } from 'vitest'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { newId } from '#server/foundation/ids.ts'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { askIdOf, askQuietly, busyWith, hasEnded, MORNING, quietly, quietPortal, waits } from '#testing/quietAsks.ts'
import { until } from '#testing/until.ts'

eachStorage((_name, storage) => {
  describe('an ask for when it is quiet', () => {
    test('is acknowledged at once, waits while others are answered or wait, and then gets its answer', async () => {
      const portal = await quietPortal(storage)
      const { upstream } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      const quiet = await askQuietly(lin, 'quiet')
      expect(quiet.frames[0]).toMatchObject({ type: 'accepted', question: { content: { text: 'quiet' } } })
      expect(await quiet.until(waits)).toMatchObject({ place: 1, quiet: { until: MORNING, likely_at: null } })
      // Whoever comes now is first.
      const chen = await portal.person()
      const later = await chen.chat(question('later', { new_title: 'later' }))
      await later.until(frame => frame.type === 'queueing')
      upstream.answer('busy')
      await upstream.arrived('later')
      expect(upstream.asked).toEqual(['busy', 'later'])
      upstream.answer('later')
      await upstream.arrived('quiet')
      await quiet.until(frame => frame.type === 'waiting')
      upstream.answer('quiet')
      expect(await quiet.until(hasEnded)).toMatchObject({ outcome: 'finished', charged: true })
      const [record] = await lin.result<ConversationRecord[]>('GET', '/conv')
      expect(record).toMatchObject({ title: 'quiet' })
      expect(record?.quiet_ask).toBeUndefined()
    })

    test('is neither asking nor queueing, and keeps its person from nothing', async () => {
      const portal = await quietPortal(storage)
      const { upstream, admin } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      const quiet = await askQuietly(lin, 'quiet')
      await quiet.until(waits)
      expect(await lin.result('GET', '/user/me')).toMatchObject({ setting: { openai_web_chat_status: 'idling' } })
      expect(await admin.result('GET', '/status/common')).toMatchObject({ chatbot_waiting_count: 0 })
      const now = await lin.chat(question('now', { new_title: 'now' }))
      expect(await now.until(frame => frame.type === 'queueing')).toMatchObject({ place: 1 })
      upstream.letGo()
      for (const chat of [now, quiet]) expect(await chat.until(hasEnded)).toMatchObject({ outcome: 'finished' })
      expect(upstream.asked).toEqual(['busy', 'now', 'quiet'])
    })

    test('is in the list as what it is, and in its conversation', async () => {
      const portal = await quietPortal(storage)
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      const quiet = await askQuietly(lin, 'a question about electricity', { new_title: null })
      const ask_id = askIdOf(quiet)
      const [record] = await lin.result<ConversationRecord[]>('GET', '/conv')
      expect(record).toMatchObject({
        title: 'a question about electricity',
        quiet_ask: { ask_id, until: MORNING },
      })
      expect(record?.running_ask).toBeUndefined()
      const history = await lin.result<ConversationHistory>('GET', `/conv/${record?.conversation_id}`)
      expect(history).toMatchObject({ running_ask: ask_id })
    })

    test('sent twice under one id is one', async () => {
      const portal = await quietPortal(storage)
      const { upstream } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      const ask_id = newId()
      const first = await askQuietly(lin, 'quiet', { ask_id })
      first.leave()
      const second = await askQuietly(lin, 'quiet', { ask_id })
      expect(second.frames[0]).toEqual(first.frames[0])
      await second.until(waits)
      upstream.letGo()
      expect(await second.until(hasEnded)).toMatchObject({ outcome: 'finished' })
      expect(upstream.asked).toEqual(['busy', 'quiet'])
      expect(await lin.result('GET', '/conv')).toHaveLength(1)
    })

    test('that is stopped can be withdrawn as any other question', async () => {
      const portal = await quietPortal(storage)
      const { upstream } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      const quiet = await askQuietly(lin, 'quiet')
      await quiet.until(waits)
      quiet.send({ stop: true })
      expect(await quiet.until(hasEnded)).toMatchObject({ type: 'finished', outcome: 'stopped', charged: false })
      const { conversation_id, question: asked } = quiet.frames[0] as never as {
        conversation_id: string
        question: { id: string }
      }
      await lin.result('DELETE', `/conv/${conversation_id}/question/${asked.id}`)
      upstream.letGo()
      await busyWith(lin, 'another')
      await upstream.arrived('another')
      expect(upstream.asked).toEqual(['busy', 'another'])
    })

    test('is given up when its time is over, and says so in the list', async () => {
      const portal = await quietPortal(storage)
      const { upstream, clock } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      const quiet = await askQuietly(lin, 'quiet')
      await quiet.until(waits)
      clock.set(Date.parse(MORNING))
      expect(await quiet.until(hasEnded)).toMatchObject({
        type: 'error',
        tip: 'errors.quietOver',
        values: { until_at: MORNING },
        charged: false,
      })
      const [record] = await lin.result<ConversationRecord[]>('GET', '/conv')
      expect(record).toMatchObject({ unanswered: true, quiet_over: true })
      upstream.letGo()
      expect(upstream.asked).toEqual(['busy'])
    })

    test('is begun by at most one running answer, however many places are free', async () => {
      const portal = await quietPortal(storage, 3)
      const { upstream } = portal
      const lin = await portal.person()
      const first = await askQuietly(lin, 'first')
      await upstream.arrived('first')
      const second = await askQuietly(lin, 'second')
      await second.until(waits)
      await busyWith(await portal.person(), 'now')
      await upstream.arrived('now')
      expect(upstream.asked).toEqual(['first', 'now'])
      upstream.answer('first')
      expect(await first.until(hasEnded)).toMatchObject({ outcome: 'finished' })
      await upstream.arrived('second')
    })
  })

  describe('a hundred asks for when it is quiet', () => {
    test('delay an ask of somebody else by one running answer at most, and go round the people', async () => {
      const portal = await quietPortal(storage)
      const { upstream } = portal
      const people = await Promise.all(Array.from({ length: 5 }, () => portal.person()))
      for (const [at, person] of people.entries())
        for (let count = 0; count < 20; count++) (await askQuietly(person, `${at} ${count}`)).leave()
      const [running = ''] = upstream.asked
      const now = await (await portal.person()).chat(question('now', { new_title: 'now' }))
      await now.until(frame => frame.type === 'queueing')
      upstream.answer(running)
      await upstream.arrived('now')
      expect(upstream.asked).toEqual([running, 'now'])
      upstream.letGo()
      await now.until(hasEnded)
      await until(() => expect(upstream.asked).toHaveLength(101))
      expect(upstream.most).toBe(1)
      // Everybody's first one before anybody's second one; whose first one began before the others came is one ahead.
      const rounds = upstream.asked.slice(2).map(text => {
        const [person, count] = text.split(' ').map(Number)
        return (count ?? 0) - (person === 0 ? 1 : 0)
      })
      expect(rounds).toEqual(rounds.toSorted((one, other) => one - other))
    })

    test('are too many for one person', async () => {
      const portal = await quietPortal(storage)
      await busyWith(await portal.person(), 'busy')
      const lin = await portal.person()
      for (let count = 0; count < 20; count++) (await askQuietly(lin, `${count}`)).leave()
      const refused = await lin.chat(quietly('one more'))
      expect(await refused.until(hasEnded)).toMatchObject({ tip: 'errors.quietAsksFull', values: { most: 20 } })
    })
  })

  describe('the time of an ask for when it is quiet', () => {
    test.each([
      ['is within a week', { quiet_until: '2026-12-08T14:00:01Z' }],
      ['is not over', { quiet_until: '2026-11-30T13:59:59Z' }],
      ['is of such an ask only', { when: 'now', quiet_until: MORNING } as const],
    ])('%s', async (_fact, fields) => {
      const lin = await (await quietPortal(storage)).person()
      const refused = await lin.chat(quietly('quiet', fields))
      expect(await refused.until(hasEnded)).toMatchObject({
        tip: 'errors.invalidAskRequest',
        values: { field: 'quiet_until' },
      })
    })

    test('may be chosen', async () => {
      const portal = await quietPortal(storage)
      await busyWith(await portal.person(), 'busy')
      const lin = await portal.person()
      const chosen = '2026-12-07T14:00:00.000Z'
      const quiet = await askQuietly(lin, 'quiet', { quiet_until: chosen })
      expect(await quiet.until(waits)).toMatchObject({ quiet: { until: chosen } })
    })
  })

  test('an old client cannot ask for when it is quiet, since closing its socket would stop it', async () => {
    const lin = await (await quietPortal(storage)).person()
    const refused = await lin.chat(quietly('quiet'), null)
    expect(await refused.closed).toMatchObject({ code: 1007 })
  })
})
