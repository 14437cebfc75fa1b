import { describe, expect, test } from 'vitest'
import type { Allowance, SourceAllowance } from '#contract/allowance.ts'
import { testClock } from '#testing/clock.ts'
import { eachStorage } from '#testing/database.ts'
import { type Chat, type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { startWithTwo } from '#testing/twoUpstreams.ts'

const NOON = Date.parse('2026-03-02T12:00:00.000Z')

async function allowanceOf(person: Person): Promise<SourceAllowance> {
  const { sources } = await person.result<Allowance>('GET', '/user/me/allowance')
  const api = sources.find(({ source }) => source === 'openai_api')
  if (api === undefined) throw new Error('a source is missing')
  return api
}

async function refusalOf(person: Person): Promise<{ tip: unknown; values: unknown }> {
  const chat = await person.chat(question('hello', { new_title: 'x' }))
  await chat.closed
  return { tip: chat.frames[0]?.['tip'], values: chat.frames[0]?.['values'] }
}

eachStorage((_name, storage) => {
  describe('the allowance', () => {
    test('of somebody without limits is that they may ask', async () => {
      const { person } = await startPortal({ storage: await storage() })
      expect(await allowanceOf(await person())).toMatchObject({
        verdict: { may_ask: true, message: null, opens_at: null },
        new_conversation: { may_ask: true },
        total: { allowed: -1 },
        windows: [],
        models: [{ model: 'gpt_3_5', verdict: { may_ask: true } }, { model: 'gpt_4' }],
      })
    })

    test('says what is used of what, and what remains', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: { total_ask_count: 5, max_conv_count: 3, per_model_ask_count: { gpt_4: 2 } },
      })
      await lin.ask('one', { new_title: 'one' })
      const { total, conversations, models } = await allowanceOf(lin)
      expect(total).toEqual({ used: 1, allowed: 5, remaining: 4 })
      expect(conversations).toEqual({ used: 1, allowed: 3 })
      expect(models.find(({ model }) => model === 'gpt_4')?.count).toEqual({ used: 1, allowed: 2, remaining: 1 })
    })

    test('says that a queue is full when those of all accounts are', async () => {
      const { person, simulators } = await startWithTwo(
        {
          storage: await storage(),
          environment: {
            COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1',
            COMMONS_ASKING_MAX_QUEUE_LENGTH: '1',
          },
        },
        { concurrency: 1 },
      )
      for (const simulator of simulators) simulator.setPace(20)
      const chats: Chat[] = []
      const verdicts: boolean[] = []
      for (let count = 0; count < 4; count++) {
        const user = await person()
        verdicts.push((await allowanceOf(user)).new_conversation.may_ask)
        const chat = await user.chat(question('/simulate tokens=2000', { new_title: 'long' }))
        await chat.until(frame => frame.type === 'waiting' || frame.type === 'queueing')
        chats.push(chat)
      }
      const { new_conversation } = await allowanceOf(await person())
      expect([verdicts, new_conversation.message]).toEqual([[true, true, true, true], 'errors.queueFull'])
      for (const chat of chats) chat.send({ stop: true })
      await Promise.all(chats.map(chat => chat.closed))
    })

    test('opens at a moment until which waiting works, and one second earlier does not', async () => {
      const clock = testClock(NOON)
      const { person, admin } = await startPortal({ storage: await storage(), clock })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: { rate_limits: [{ window_seconds: 3600, max_requests: 2 }] },
      })
      for (const text of ['one', 'two']) {
        await lin.ask(text, { new_title: text })
        clock.pass(60_000)
      }
      const { verdict, windows } = await allowanceOf(lin)
      const opens_at = new Date(NOON + 3_600_000).toISOString()
      expect(verdict).toMatchObject({ may_ask: false, message: 'errors.askedTooOften', opens_at })
      expect(windows).toEqual([{ window_seconds: 3600, max_requests: 2, used: 2, frees_at: opens_at }])
      clock.set(NOON + 3_599_000)
      expect(await refusalOf(lin)).toMatchObject({
        tip: 'errors.askedTooOften',
        values: { retry_after_seconds: 1, opens_at },
      })
      clock.set(NOON + 3_600_000)
      expect(await allowanceOf(lin)).toMatchObject({ verdict: { may_ask: true } })
      expect((await lin.ask('three', { new_title: 'three' })).at(-1)).toMatchObject({ type: 'finished' })
    })

    test('names the rule that binds, for each model apart', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      const lin = await person()
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { per_model_ask_count: { gpt_4: 0 } } })
      const { verdict, models } = await allowanceOf(lin)
      expect(verdict.may_ask).toBe(true)
      expect(models.find(({ model }) => model === 'gpt_4')?.verdict).toMatchObject({
        message: 'errors.noAvailableGPT4AskCount',
        opens_at: null,
      })
    })

    test('in the portal’s time zone ends a slot to the second', async () => {
      const clock = testClock(Date.parse('2026-03-28T22:59:59.000Z'))
      const { person, admin } = await startPortal({
        storage: await storage(),
        clock,
        environment: { COMMONS_PORTAL_TIME_ZONE: 'Europe/Berlin' },
      })
      const lin = await person()
      const slots = [{ start_time: '22:00:00', end_time: '23:59:59' }]
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { daily_available_time_slots: slots } })
      expect(await allowanceOf(lin)).toMatchObject({ verdict: { may_ask: true } })
      clock.pass(1000)
      // The clocks go forward in the night, so the next evening comes an hour sooner.
      expect(await allowanceOf(lin)).toMatchObject({
        verdict: {
          may_ask: false,
          message: 'errors.userNotAllowToAskAtThisTime',
          opens_at: '2026-03-29T20:00:00.000Z',
        },
      })
    })
  })
})
