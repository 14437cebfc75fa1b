import { describe, expect, test } from 'vitest'
import type { CommonStatus, Portal, SharedMeter } from '#contract/status.ts'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { startWithTwo } from '#testing/twoUpstreams.ts'
import { returnsOf } from './meter.ts'

const ONE_AT_ONCE = { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1' }

eachStorage((_name, storage) => {
  describe('the status', () => {
    test('counts people who were here, and superusers not', async () => {
      const { person, admin } = await startPortal({ storage: await storage() })
      await person()
      await expect
        .poll(() => admin.result<CommonStatus>('GET', '/status/common'))
        .toMatchObject({
          active_user_in_5m: 1,
          active_user_in_1h: 1,
          active_user_in_1d: 1,
          is_chatbot_busy: false,
          chatbot_waiting_count: 0,
          gpt4_count_in_3_hours: 0,
        })
    })

    test('is busy and counts who waits exactly while they do', async () => {
      const { person, simulator, admin } = await startPortal({ storage: await storage(), environment: ONE_AT_ONCE })
      simulator.setPace(20)
      const [lin, mei] = [await person('lin'), await person('mei')]
      const first = await lin.chat(question('/simulate tokens=2000', { new_title: 'long' }))
      await first.until(frame => frame.type === 'waiting')
      const second = await mei.chat(question('hello', { new_title: 'waits' }))
      await second.until(frame => frame.type === 'queueing' && frame['place'] === 1)
      expect(await admin.result('GET', '/status/common')).toMatchObject({
        is_chatbot_busy: true,
        chatbot_waiting_count: 1,
      })
      expect(await mei.result('GET', '/user/me')).toMatchObject({ id: mei.id })
      const { accounts } = await mei.result<SharedMeter>('GET', '/status/meter')
      expect(accounts).toEqual([
        expect.objectContaining({
          source: 'openai_api',
          running: 1,
          places: 1,
          waiting: 1,
          used: 0,
          allowed: null,
          line: [
            { nickname: null, is_me: false, state: 'asking' },
            { nickname: 'mei', is_me: true, state: 'queueing' },
          ],
        }),
      ])
      second.send({ stop: true })
      await second.closed
      first.send({ stop: true })
      await first.closed
      expect(await admin.result('GET', '/status/common')).toMatchObject({
        is_chatbot_busy: false,
        chatbot_waiting_count: 0,
      })
    })
  })

  describe('several accounts of a source', () => {
    test('are busy when all of them are that are not paused, and each has a meter of its own', async () => {
      const { person, simulator, admin, upstreams } = await startWithTwo(
        { storage: await storage(), environment: ONE_AT_ONCE },
        { concurrency: 3, shared_limit: 40, shared_limit_window_seconds: 60 },
      )
      simulator.setPace(20)
      const lin = await person('lin')
      const chat = await lin.chat(question('/simulate tokens=2000', { new_title: 'long' }))
      await chat.until(frame => frame.type === 'waiting')
      const isBusy = async () => (await admin.result<CommonStatus>('GET', '/status/common')).is_chatbot_busy
      expect(await isBusy()).toBe(false)
      const { accounts } = await lin.result<SharedMeter>('GET', '/status/meter')
      expect(accounts).toMatchObject([
        { upstream_id: upstreams[0], label: '', paused: false, running: 1, places: 1, allowed: null },
        { upstream_id: upstreams[1], label: 'Second', running: 0, places: 3, allowed: 40, window_seconds: 60 },
      ])
      await admin.result('POST', `/system/upstreams/${upstreams[1]}/pause`)
      expect(await isBusy()).toBe(true)
      chat.send({ stop: true })
      await chat.closed
      expect(await isBusy()).toBe(false)
    })
  })

  describe('the shared meter', () => {
    test('counts what the account has answered in its window, and says when it comes back', async () => {
      const { person } = await startPortal({
        storage: await storage(),
        environment: { COMMONS_OPENAI_API_SHARED_LIMIT: '50' },
      })
      const lin = await person()
      await lin.ask('one', { new_title: 'one' })
      await lin.ask('two', { new_title: 'two' })
      const {
        now,
        accounts: [account],
      } = await lin.result<SharedMeter>('GET', '/status/meter')
      expect(account).toMatchObject({
        used: 2,
        allowed: 50,
        window_seconds: 10_800,
        returns: [{ count: 1 }, { count: 1 }],
      })
      const back = Date.parse(account?.returns[0]?.at ?? '') - Date.parse(now)
      expect(back).toBeGreaterThan(10_700_000)
      expect(back).toBeLessThanOrEqual(10_800_000)
    })

    test('shows nicknames where the portal does', async () => {
      const { person, simulator } = await startPortal({
        storage: await storage(),
        environment: { COMMONS_PORTAL_SHOW_NAMES_IN_LINE: 'true' },
      })
      simulator.setPace(20)
      const [lin, mei] = [await person('lin'), await person('mei')]
      const chat = await lin.chat(question('/simulate tokens=500', { new_title: 'long' }))
      await chat.until(frame => frame.type === 'waiting')
      expect((await mei.result<SharedMeter>('GET', '/status/meter')).accounts[0]?.line).toEqual([
        { nickname: 'lin', is_me: false, state: 'asking' },
      ])
      chat.send({ stop: true })
      await chat.closed
    })
  })
})

describe('the portal', () => {
  test('says that it is a demonstration while the simulator answers, and lists the models', async () => {
    const { person } = await startPortal({
      environment: {
        OPENAI_BASE_URL: '',
        OPENAI_API_KEY: '',
        COMMONS_OPENAI_API_FURTHER_MODELS:
          '[{"code":"llama3","label":"Llama 3","upstream_name":"llama3:8b","context_length":8192}]',
      },
    })
    const lin = await person()
    const portal = await lin.result<Portal>('GET', '/status/portal')
    expect(portal).toMatchObject({
      demonstration: true,
      time_zone: 'UTC',
      sources: [
        { source: 'openai_web', enabled: false },
        { source: 'openai_api', enabled: true },
      ],
    })
    expect(portal.models.filter(({ source }) => source === 'openai_api')).toEqual([
      { source: 'openai_api', code: 'gpt_3_5', label: null, context_length: null },
      { source: 'openai_api', code: 'gpt_4', label: null, context_length: null },
      { source: 'openai_api', code: 'llama3', label: 'Llama 3', context_length: 8192 },
    ])
    expect((await lin.ask('hello', { model: 'llama3', new_title: 'x' })).at(-1)).toMatchObject({ type: 'finished' })
  })
})

describe('what comes back', () => {
  test('is told in a few steps', () => {
    const moments = Array.from({ length: 50 }, (_, index) => index * 1000)
    const steps = returnsOf(moments)
    expect(steps.length).toBeLessThanOrEqual(6)
    expect(steps.reduce((sum, step) => sum + step.count, 0)).toBe(50)
    expect(steps[0]).toEqual({ at: new Date(0).toISOString(), count: 9 })
  })
})
