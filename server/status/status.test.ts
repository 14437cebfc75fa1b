import { describe, expect, test } from 'vitest'
import type { Queue } from '#contract/queue.ts'
import type { CommonStatus, Portal, SharedMeter } from '#contract/status.ts'
import type { ResultOf } from '#contract/call.ts'
import type { readUpstreamLoads } from '#contract/upstreams.ts'
import { eachStorage } from '#testing/database.ts'
import { question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { startWithTwo } from '#testing/twoUpstreams.ts'
import { changeUpstream, storedUpstream } from '#testing/upstreams.ts'
import { returnsOf } from './meter.ts'

const ONE_AT_ONCE = { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1' }
const NO_ENDPOINT = { OPENAI_BASE_URL: '', OPENAI_API_KEY: '' }
const COOLING = {
  health: 'cooling',
  cooling_until: Date.now() + 3_600_000,
  health_since: 1,
  health_reason: 'openai.429',
}

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
      const { app, person, simulator, admin, upstreams } = await startWithTwo(
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
      const { loads } = await admin.result<ResultOf<typeof readUpstreamLoads>>('GET', '/system/upstreams/loads')
      const used = { running: 0, waiting: 0, used: 0, conversations: 0, paused_by: null }
      const id = app.services.upstreams.ofSettings('openai_web').id
      expect(loads).toEqual([
        { ...used, id, places: 1, allowed: 50, window_seconds: 10_800 },
        { ...used, id: upstreams[0], running: 1, places: 1, allowed: null, window_seconds: 10_800, conversations: 1 },
        {
          ...used,
          ...{ id: upstreams[1], places: 3, allowed: 40, window_seconds: 60 },
          paused_by: { id: admin.id, username: 'admin', nickname: 'admin' },
        },
      ])
      chat.send({ stop: true })
      await chat.closed
      expect(await isBusy()).toBe(false)
    })

    test('are busy when those are that do not cool', async () => {
      const { app, person, simulator, admin } = await startPortal({
        storage: await storage(),
        environment: ONE_AT_ONCE,
      })
      const id = await storedUpstream(app, { base_url: simulator.url, concurrency: 1 })
      const isBusy = async () => (await admin.result<CommonStatus>('GET', '/status/common')).is_chatbot_busy
      simulator.setPace(20)
      const lin = await person()
      const chat = await lin.chat(question('/simulate tokens=2000', { new_title: 'long' }))
      await chat.until(frame => frame.type === 'waiting')
      expect(await isBusy()).toBe(false)
      await changeUpstream(app, id, COOLING)
      await expect.poll(isBusy).toBe(true)
      chat.send({ stop: true })
      await chat.closed
    })

    test('have each its own line, and its own answers with their times', async () => {
      const { app, person, simulator } = await startPortal({ storage: await storage(), environment: ONE_AT_ONCE })
      const id = await storedUpstream(app, { base_url: simulator.url, concurrency: 3 })
      await storedUpstream(app, { label: 'switched off', enabled: false })
      const first = app.services.upstreams.ofSettings('openai_api').id
      simulator.setPace(20)
      const [lin, mei] = [await person('lin'), await person('mei')]
      const chat = await lin.chat(question('/simulate tokens=2000', { new_title: 'long' }))
      await chat.until(frame => frame.type === 'waiting')
      await mei.ask('/simulate tokens=3', { new_title: 'goes to the other one', model: 'gpt_4' })
      const { accounts } = await mei.result<SharedMeter>('GET', '/status/meter')
      expect(accounts).toEqual([
        expect.objectContaining({
          ...{ upstream_id: first, running: 1, used: 0, seconds_per_answer: null, returns: [] },
          line: [{ nickname: null, is_me: false, state: 'asking' }],
        }),
        expect.objectContaining({
          ...{ upstream_id: id, source: 'openai_api', running: 0, used: 1, seconds_per_answer: 1 },
          ...{ returns: [{ at: expect.any(String), count: 1 }], line: [] },
        }),
      ])
      chat.send({ stop: true })
      await chat.closed
    })

    test('say until when one cools, and until when one that needs attention is left alone', async () => {
      const { app, admin } = await startPortal({ storage: await storage() })
      const id = await storedUpstream(app, COOLING)
      const untils = async () =>
        (await admin.result<SharedMeter>('GET', '/status/meter')).accounts.map(account => account.cooling_until)
      const until = new Date(COOLING.cooling_until).toISOString()
      expect(await untils()).toEqual([null, until])
      await changeUpstream(app, id, { cooling_until: Date.now() - 1 })
      await expect.poll(untils).toEqual([null, null])
      await changeUpstream(app, id, { ...COOLING, health: 'attention', health_reason: 'openai.401' })
      await expect.poll(untils).toEqual([null, until])
    })

    test('are those that people share: not the demonstration, once another endpoint takes its place', async () => {
      const { app, admin, simulator } = await startPortal({ storage: await storage(), environment: NO_ENDPOINT })
      const labels = async () =>
        (await admin.result<SharedMeter>('GET', '/status/meter')).accounts.map(({ label }) => label)
      // A web account and an endpoint.
      expect(await labels()).toEqual(['', ''])
      await storedUpstream(app, { label: 'at home', base_url: simulator.url })
      expect(await labels()).toEqual(['at home'])
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

    test('names to superusers who is answered and who waits, each of which they can end', async () => {
      const { person, simulator, admin } = await startPortal({ storage: await storage(), environment: ONE_AT_ONCE })
      expect((await admin.result<Queue>('GET', '/system/queue')).accounts[0]?.asks).toEqual([])
      simulator.setPace(20)
      const [lin, mei] = [await person('lin'), await person('mei')]
      const first = await lin.chat(question('/simulate tokens=2000', { new_title: 'long' }))
      await first.until(frame => frame.type === 'waiting')
      const second = await mei.chat(question('hello', { new_title: 'waits', model: 'gpt_3_5' }))
      await second.until(frame => frame.type === 'queueing')
      const [account] = (await admin.result<Queue>('GET', '/system/queue')).accounts
      expect(account?.asks).toMatchObject([
        { state: 'asking', person: { id: lin.id, username: 'lin', nickname: 'lin' }, title: 'long', model: 'gpt_4' },
        { state: 'queueing', person: { id: mei.id }, title: 'waits', model: 'gpt_3_5' },
      ])
      const stop = (ask_id = '') => admin.result('POST', `/system/asks/${ask_id}/stop`)
      const [running, waiting] = account?.asks ?? []
      expect(await stop(waiting?.ask_id)).toBe(true)
      await second.closed
      expect(await stop(running?.ask_id)).toBe(true)
      await first.closed
      expect(await stop(running?.ask_id)).toBe(false)
      expect((await admin.result<Queue>('GET', '/system/queue')).accounts[0]?.asks).toEqual([])
      expect((await admin.call('POST', '/system/asks/1/stop')).message).toBe('errors.requestValidationError')
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
  const UNKNOWN = { takes_pictures: null, takes_files: null, thinking_levels: null, context_length: null }
  test('says that it is a demonstration while the simulator answers, and lists the models', async () => {
    const { person } = await startPortal({
      environment: {
        ...NO_ENDPOINT,
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
        { source: 'openai_web', enabled: true },
        { source: 'openai_api', enabled: true },
      ],
    })
    expect(portal.models.filter(({ source }) => source === 'openai_api')).toEqual([
      { source: 'openai_api', code: 'gpt_3_5', label: null, ...UNKNOWN },
      { source: 'openai_api', code: 'gpt_4', label: null, ...UNKNOWN },
      { source: 'openai_api', code: 'llama3', label: 'Llama 3', ...UNKNOWN, context_length: 8192 },
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
