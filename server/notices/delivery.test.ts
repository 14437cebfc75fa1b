import { describe, expect, test } from 'vitest'
import { MAX_DEVICES } from '#contract/notices.ts'
import { eachDatabase } from '#testing/database.ts'
import { newId } from '#server/foundation/ids.ts'
import { someNotices, startSession } from './notices.testing.ts'
import { subscriptionStore } from './store.ts'

const MINUTE = 60_000

eachDatabase((_, open) => {
  async function opened() {
    const database = await open()
    return { ...(await someNotices(database)), open: database }
  }

  describe('an answer that is ready', () => {
    test('is told in the language of the person, with how long it took and no title', async () => {
      const { notifiedPerson, answered, notices, state } = await opened()
      state.preferences = { language: 'ms-MY' }
      const { user, browser, conversation_id } = await notifiedPerson()
      await answered(user, conversation_id)
      expect(await notices.deliver()).toBe(1)
      expect(browser.shown()).toEqual([
        {
          kind: 'answer',
          language: 'ms-MY',
          conversation_id,
          title: null,
          label: null,
          seconds: 180,
          has_failed: false,
        },
      ])
    })
    test('is told once', async () => {
      const { notifiedPerson, answered, notices } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      await answered(user, conversation_id)
      await notices.deliver()
      expect(await notices.deliver()).toBe(0)
      expect(browser.shown()).toHaveLength(1)
    })
    test('is told once by two processes that look at the same moment', async () => {
      const { notifiedPerson, answered, notices, process } = await opened()
      const other = await process()
      const { user, browser, conversation_id } = await notifiedPerson()
      await answered(user, conversation_id)
      await Promise.all([notices.deliver(), other.deliver(), notices.deliver(), other.deliver()])
      expect(browser.shown()).toHaveLength(1)
    })
    test('is told to every browser of the person, and to nobody else', async () => {
      const { notifiedPerson, answered, notices, service } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      const further = service.browser()
      await notices.addDevice(user, further.subscription)
      const { browser: ofOther } = await notifiedPerson()
      await answered(user, conversation_id)
      await notices.deliver()
      expect([browser, further, ofOther].map(each => each.shown().length)).toEqual([1, 1, 0])
    })
    test('has the title of its conversation where the person wants titles', async () => {
      const { notifiedPerson, answered, notices, state } = await opened()
      state.preferences = { notices: { titles: true } }
      const { user, browser, conversation_id } = await notifiedPerson({ title: '长'.repeat(300) })
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()[0]?.title).toMatch(/^长{100,120}…?$/)
    })
    test('is told as one that failed where it did, and not at all where it was stopped', async () => {
      const { notifiedPerson, answered, notices } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      await answered(user, conversation_id, 'stopped')
      await answered(user, conversation_id, 'failed')
      expect(await notices.deliver()).toBe(1)
      expect(browser.shown()).toMatchObject([{ has_failed: true }])
    })
    test('is not told while its conversation is in view in any page of the person', async () => {
      const { notifiedPerson, answered, notices, clock } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      const page_id = newId()
      notices.noteView(user, { page_id, conversation_id })
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()).toEqual([])
      notices.noteView(user, { page_id, conversation_id: null })
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()).toHaveLength(1)
      notices.noteView(user, { page_id, conversation_id })
      clock.pass(MINUTE)
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()).toHaveLength(2)
    })
    test('is told while another conversation is in view, or it is in view of somebody else', async () => {
      const { notifiedPerson, answered, notices, person } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      notices.noteView(user, { page_id: newId(), conversation_id: newId() })
      notices.noteView(await person(), { page_id: newId(), conversation_id })
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()).toHaveLength(1)
    })
    test('is not told where the person or the portal has switched it off, or it belongs to no conversation', async () => {
      const { notifiedPerson, answered, notices, state } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      await answered(user, null)
      state.preferences = { notices: { answer: false } }
      await answered(user, conversation_id)
      await notices.deliver()
      state.preferences = {}
      state.settings = { ...state.settings, portal: { browser_notices: false } }
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()).toEqual([])
    })
    test('is not told where the conversation was deleted meanwhile, or half a day has passed', async () => {
      const { notifiedPerson, answered, notices, clock, open: database } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      await answered(user, conversation_id)
      clock.pass(12 * 60 * MINUTE)
      expect(await notices.deliver()).toBe(1)
      await answered(user, conversation_id)
      await database.database.updateTable('conversations').set({ is_valid: false }).execute()
      expect(await notices.deliver()).toBe(1)
      expect(browser.shown()).toEqual([])
    })
    test('leaves no trace for whoever is told nowhere', async () => {
      const { person, answered, notices } = await opened()
      await answered(await person(), newId())
      expect(await notices.deliver()).toBe(0)
    })
  })

  describe('a turn', () => {
    test('is told to whoever waited a minute, and not to others', async () => {
      const { notifiedPerson, notices, clock } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      const ask = { user_id: user.id, conversation_id, create_time: clock.now() }
      clock.pass(MINUTE - 1)
      await notices.ofAsks.turn(ask)
      expect(await notices.deliver()).toBe(0)
      clock.pass(1)
      await notices.ofAsks.turn(ask)
      await notices.deliver()
      expect(browser.shown()).toMatchObject([{ kind: 'turn', seconds: null, conversation_id }])
    })
  })

  describe('a push service', () => {
    test('that no longer knows a browser has it forgotten', async () => {
      for (const status of [404, 410, 401, 403]) {
        const { notifiedPerson, answered, notices, service } = await opened()
        const { user, conversation_id } = await notifiedPerson()
        service.answerWith(() => ({ status }))
        await answered(user, conversation_id)
        await notices.deliver()
        expect(await notices.read(user)).toMatchObject({ devices: 0 })
      }
    })
    test('that is busy is asked again after a while, for the browsers that are left', async () => {
      const { notifiedPerson, answered, notices, service, clock } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      const second = service.browser()
      await notices.addDevice(user, second.subscription)
      service.answerWith(path => ({ status: second.subscription.endpoint.endsWith(path) ? 503 : 201 }))
      await answered(user, conversation_id)
      await notices.deliver()
      service.answerWith(() => ({ status: 201 }))
      clock.pass(14_999)
      expect(await notices.deliver()).toBe(0)
      clock.pass(1)
      expect(await notices.deliver()).toBe(1)
      expect([browser.shown().length, second.shown().length]).toEqual([1, 2])
      expect(await notices.deliver()).toBe(0)
    })
    test('says itself when, up to a quarter of an hour', async () => {
      const { notifiedPerson, answered, notices, service, clock } = await opened()
      const { user, conversation_id } = await notifiedPerson()
      service.answerWith(() => ({ status: 429, headers: { 'retry-after': '999999' } }))
      await answered(user, conversation_id)
      await notices.deliver()
      clock.pass(15 * MINUTE - 1)
      expect(await notices.deliver()).toBe(0)
      clock.pass(1)
      expect(await notices.deliver()).toBe(1)
    })
    test('that never has time is given up', async () => {
      const { notifiedPerson, answered, notices, service, clock } = await opened()
      const { user, conversation_id } = await notifiedPerson()
      service.answerWith(() => ({ status: 500 }))
      await answered(user, conversation_id)
      let tries = 0
      for (let hour = 0; hour < 9; hour++) {
        tries += await notices.deliver()
        clock.pass(60 * MINUTE)
      }
      expect(tries).toBe(4)
      expect(service.pushed).toHaveLength(4)
      expect(await notices.read(user)).toMatchObject({ devices: 1 })
    })
    test('that redirects is not followed', async () => {
      const { notifiedPerson, answered, notices, service } = await opened()
      const { user, conversation_id } = await notifiedPerson()
      service.answerWith(() => ({ status: 307, headers: { location: `${service.url}/elsewhere` } }))
      await answered(user, conversation_id)
      await notices.deliver()
      expect(service.pushed.map(({ path }) => path)).not.toContain('/elsewhere')
    })
  })

  describe('a notice whose process was killed while it sent', () => {
    test('is sent by another one after a minute', async () => {
      const { notifiedPerson, answered, notices, open: database, clock } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      await answered(user, conversation_id)
      await database.database
        .updateTable('push_notices')
        .set({ lease_until: clock.now() + MINUTE })
        .execute()
      expect(await notices.deliver()).toBe(0)
      clock.pass(MINUTE)
      await notices.deliver()
      expect(browser.shown()).toHaveLength(1)
    })
  })

  describe('a reminder', () => {
    const model = { source: 'openai_api' as const, model: 'gpt_4', label: '四号' }
    const at = (time: number) => new Date(time).toISOString()
    test('is told at its moment, with the model as the page named it', async () => {
      const { notifiedPerson, notices, clock } = await opened()
      const { user, browser } = await notifiedPerson()
      const moment = at(clock.now() + 5 * MINUTE)
      await notices.remind(user, { ...model, moment })
      expect(await notices.read(user)).toMatchObject({ reminder: { ...model, moment } })
      expect(await notices.deliver()).toBe(0)
      clock.pass(5 * MINUTE)
      await notices.deliver()
      expect(browser.shown()).toMatchObject([{ kind: 'window', label: '四号', conversation_id: null }])
      expect(await notices.read(user)).toMatchObject({ reminder: null })
    })
    test('moves on with a window that opens later than was said', async () => {
      const { notifiedPerson, notices, clock, state } = await opened()
      const { user, browser } = await notifiedPerson()
      await notices.remind(user, { ...model, moment: at(clock.now()) })
      const later = clock.now() + 90 * MINUTE
      state.opensAt = async () => (clock.now() < later ? later : 'now')
      await notices.deliver()
      expect(await notices.read(user)).toMatchObject({ reminder: { moment: at(later) } })
      clock.pass(90 * MINUTE)
      await notices.deliver()
      expect(browser.shown()).toHaveLength(1)
    })
    test('is forgotten where waiting does not help any more, and when somebody says so', async () => {
      const { notifiedPerson, notices, clock, state } = await opened()
      const { user, browser } = await notifiedPerson()
      state.opensAt = async () => 'never'
      await notices.remind(user, { ...model, moment: at(clock.now()) })
      await notices.deliver()
      await notices.remind(user, { ...model, moment: at(clock.now() + MINUTE) })
      await notices.forgetReminder(user)
      expect(await notices.read(user)).toMatchObject({ reminder: null })
      expect(browser.shown()).toEqual([])
    })
    test('takes the place of the one before, is no further than a month away, and no earlier than now', async () => {
      const { person, notices, clock } = await opened()
      const user = await person()
      await notices.remind(user, { ...model, moment: '2000-01-01T00:00:00Z' })
      expect(await notices.read(user)).toMatchObject({ reminder: { moment: at(clock.now()) } })
      await notices.remind(user, { ...model, model: 'gpt_5', moment: '9000-01-01T00:00:00Z' })
      const { reminder } = await notices.read(user)
      expect(reminder).toMatchObject({ model: 'gpt_5', moment: at(clock.now() + 32 * 24 * 60 * MINUTE) })
    })
  })

  describe('the browsers of a person', () => {
    test(`are ${MAX_DEVICES} at most: a further one takes the place of the first`, async () => {
      const { notifiedPerson, answered, notices, service } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      const more = Array.from({ length: MAX_DEVICES }, () => service.browser())
      for (const { subscription } of more) await notices.addDevice(user, subscription)
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()).toEqual([])
      expect(more.map(each => each.shown().length)).toEqual(more.map(() => 1))
    })
    test('are told as often as they are added twice: once', async () => {
      const { notifiedPerson, answered, notices } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      await notices.addDevice(user, browser.subscription)
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()).toHaveLength(1)
    })
    test('go to whoever signs in there next', async () => {
      const { notifiedPerson, answered, notices, person } = await opened()
      const { user, browser, conversation_id } = await notifiedPerson()
      const next = await person()
      await notices.addDevice(next, browser.subscription)
      await answered(user, conversation_id)
      await notices.deliver()
      expect(browser.shown()).toEqual([])
      expect(await notices.read(next)).toMatchObject({ devices: 1 })
    })
    test('end with the session that added them, and follow it to its new token', async () => {
      const { notifiedPerson, notices, open: database } = await opened()
      const { user } = await notifiedPerson()
      const sessions = () => database.database
      await sessions().updateTable('sessions').set({ token_hash: 'renewed' }).execute()
      expect(await subscriptionStore(database.database).listOf(user.id)).toMatchObject([{ session: 'renewed' }])
      await sessions().deleteFrom('sessions').execute()
      expect(await notices.read(user)).toMatchObject({ devices: 0 })
    })
    test('are not added by a session that has ended, and removed by their own person alone', async () => {
      const { notifiedPerson, notices, person, service, open: database } = await opened()
      const { user, browser } = await notifiedPerson()
      await notices.removeDevice(await person(), browser.subscription.endpoint)
      expect(await notices.read(user)).toMatchObject({ devices: 1 })
      await notices.removeDevice(user, browser.subscription.endpoint)
      expect(await notices.read(user)).toMatchObject({ devices: 0 })
      const ended = notices.addDevice({ id: user.id, session: 'ended' }, service.browser().subscription)
      await expect(ended).rejects.toMatchObject({ key: 'loginExpired' })
      const other = await person()
      await startSession(database, { id: other.id, session: 'of another' })
      const foreign = notices.addDevice({ id: user.id, session: 'of another' }, service.browser().subscription)
      await expect(foreign).rejects.toMatchObject({ key: 'loginExpired' })
    })
  })
})
