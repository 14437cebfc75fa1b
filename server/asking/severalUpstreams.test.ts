import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { aPostgresqlAddress, eachStorage, type NewStorage } from '#testing/database.ts'
import { heldUpstream, type HeldUpstream } from '#testing/heldUpstream.ts'
import { bringsText, type Chat, type Frame, question } from '#testing/person.ts'
import { type Portal, startPortal } from '#testing/portal.ts'
import { changeUpstream, removeUpstream, storedUpstream } from '#testing/upstreams.ts'
import { until } from '#testing/until.ts'
import { rawUpstream } from '#testing/upstream.ts'

const ended = (frame: Frame) => frame.type === 'finished' || frame.type === 'error'
const isIn = (type: string) => (frame: Frame) => frame.type === type

/** A portal with two endpoints; who is answered is for the test to say. */
async function twoUpstreams(storage: NewStorage, concurrency = 1) {
  const [first, second] = [await heldUpstream(), await heldUpstream()]
  const portal = await startPortal({
    storage: await storage(),
    environment: {
      OPENAI_BASE_URL: first.base_url,
      COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: String(concurrency),
    },
  })
  const id = await storedUpstream(portal.app, { base_url: second.base_url, concurrency })
  return { ...portal, first, second, id, first_id: portal.app.services.upstreams.ofSettings('openai_api').id }
}

/** Each asks when the one before has its turn or waits. */
async function asking(portal: Portal, names: readonly string[]): Promise<Chat[]> {
  const chats: Chat[] = []
  for (const name of names) {
    const chat = await (await portal.person()).chat(question(name, { new_title: name }))
    await chat.until(frame => frame.type === 'waiting' || frame.type === 'queueing')
    chats.push(chat)
  }
  return chats
}

/** An endpoint that refuses with this status until it is told otherwise. */
async function refusing(status: number, headers: Record<string, string> = {}) {
  const upstream = { status, asked: 0, base_url: '' }
  upstream.base_url = await rawUpstream((request, response) => {
    if (request.method === 'POST') upstream.asked++
    request.resume()
    if (upstream.status === 200)
      response.end('data: {"choices":[{"delta":{"content":"answer"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
    else response.writeHead(upstream.status, headers).end()
  })
  return upstream
}

/** A portal whose first endpoint refuses, with a second one that answers. */
async function oneRefuses(storage: NewStorage, status: number, headers: Record<string, string> = {}) {
  const time = { ahead: 0 }
  const clock = { now: () => Date.now() + time.ahead, monotonic: () => performance.now() }
  const first = await refusing(status, headers)
  const portal = await startPortal({
    storage: await storage(),
    environment: { OPENAI_BASE_URL: first.base_url },
    clock,
  })
  const id = await storedUpstream(portal.app, { base_url: portal.simulator.url, concurrency: 100 })
  const lin = await portal.person()
  return { ...portal, first, id, lin, time, ask: async () => (await lin.ask('hello', { new_title: 'x' })).find(ended) }
}

eachStorage((_name, storage) => {
  describe('asks of a source with several upstreams', () => {
    test('go to the least busy one, and wait when all are busy', async () => {
      const portal = await twoUpstreams(storage)
      const chats = await asking(portal, ['one', 'two', 'three'])
      await Promise.all([portal.first.arrived('one'), portal.second.arrived('two')])
      await chats[2]?.until(isIn('queueing'))
      portal.first.letGo()
      portal.second.letGo()
      for (const chat of chats) expect(await chat.until(ended)).toMatchObject({ outcome: 'finished' })
      expect([portal.first.most, portal.second.most]).toEqual([1, 1])
    })

    test('that come at the same moment are spread over them', async () => {
      const portal = await twoUpstreams(storage, 2)
      const people = await Promise.all(Array.from({ length: 6 }, async () => (await portal.person()).silent()))
      for (const [at, silent] of people.entries()) silent.send(question(`question ${at}`, { new_title: 'x' }))
      const phases = await Promise.all(
        people.map(silent => silent.until(frame => ['waiting', 'queueing'].includes(frame.type ?? ''))),
      )
      expect(phases.filter(({ type }) => type === 'waiting')).toHaveLength(4)
      await until(() => expect([portal.first.running, portal.second.running]).toEqual([2, 2]))
    })

    test('of one person at once are one, though there are several upstreams', async () => {
      const portal = await twoUpstreams(storage)
      const lin = await portal.person()
      const sockets = await Promise.all([lin.silent(), lin.silent()])
      for (const socket of sockets) socket.send(question('hello', { new_title: 'x' }))
      const phases = await Promise.all(
        sockets.map(socket => socket.until(frame => frame.type === 'waiting' || frame.type === 'error')),
      )
      expect(phases.map(({ type }) => type).toSorted()).toEqual(['error', 'waiting'])
      expect(phases.find(({ type }) => type === 'error')).toMatchObject({
        tip: 'errors.cannotConnectMoreThanOneClient',
      })
    })

    test('wait no longer for one that is paused', async () => {
      const portal = await twoUpstreams(storage)
      const { first_id, app, first, second } = portal
      const [one, two, three] = await asking(portal, ['one', 'two', 'three'])
      await Promise.all([first.arrived('one'), second.arrived('two')])
      await three?.until(isIn('queueing'))
      await changeUpstream(app, first_id, { paused_since: 1 })
      second.answer('two')
      await second.arrived('three')
      second.answer('three')
      first.answer('one')
      for (const chat of [one, two, three]) expect(await chat?.until(ended)).toMatchObject({ outcome: 'finished' })
      expect(first.asked).toEqual(['one'])
    })

    test('go on with a conversation where it was had, and elsewhere when that one is gone', async () => {
      const portal = await twoUpstreams(storage)
      const { app, id, first, second } = portal
      first.letGo()
      second.letGo()
      await changeUpstream(app, portal.first_id, { paused_since: 1 })
      await until(() =>
        expect(app.services.upstreams.serving('openai_api', 'gpt_4').map(each => each.id)).toEqual([id]),
      )
      const lin = await portal.person()
      const [accepted] = await lin.ask('begun', { new_title: 'x' })
      await changeUpstream(app, portal.first_id, { paused_since: null })
      await until(() => expect(app.services.upstreams.serving('openai_api', 'gpt_4')).toHaveLength(2))
      const goOn = async (text: string) => {
        const conversation_id = String(accepted?.['conversation_id'])
        const { current_node } = await lin.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
        return lin.ask(text, { new_conversation: false, conversation_id, parent: current_node })
      }
      await goOn('there')
      await removeUpstream(app, id)
      await until(() => expect(app.services.upstreams.find(id)).toBe(null))
      expect((await goOn('elsewhere')).find(ended)).toMatchObject({ outcome: 'finished' })
      expect([first.asked, second.asked]).toEqual([['elsewhere'], ['begun', 'there']])
    })
  })

  describe('an upstream that refuses', () => {
    test('because it has too much to do is left alone for as long as it says', async () => {
      const { ask, first, time } = await oneRefuses(storage, 429, { 'retry-after': '120' })
      expect(await ask()).toMatchObject({ tip: 'errors.openai.429' })
      for (let count = 0; count < 3; count++) expect(await ask()).toMatchObject({ outcome: 'finished' })
      expect(first.asked).toBe(1)
      first.status = 200
      time.ahead += 121_000
      expect(await ask()).toMatchObject({ outcome: 'finished' })
      expect(first.asked).toBe(2)
    })

    test('its key is tried again by one ask a minute', async () => {
      const { ask, first, time, person } = await oneRefuses(storage, 401)
      expect(await ask()).toMatchObject({ tip: 'errors.openai.401' })
      expect(await ask()).toMatchObject({ outcome: 'finished' })
      time.ahead += 61_000
      const others = await Promise.all(Array.from({ length: 4 }, () => person()))
      const ends = await Promise.all(
        others.map(async each => (await each.ask('hello', { new_title: 'x' })).find(ended)),
      )
      expect(ends.filter(end => end?.type === 'error')).toHaveLength(1)
      expect(first.asked).toBe(2)
      first.status = 200
      time.ahead += 61_000
      for (let count = 0; count < 2; count++) await ask()
      expect(first.asked).toBe(4)
    })

    test('is tried all the same when nobody else is healthy', async () => {
      const { ask, first, app, id } = await oneRefuses(storage, 429, { 'retry-after': '120' })
      await ask()
      await changeUpstream(app, id, { enabled: false })
      await until(() => expect(app.services.upstreams.serving('openai_api', 'gpt_4')).toHaveLength(1))
      for (let count = 0; count < 2; count++) expect(await ask()).toMatchObject({ tip: 'errors.openai.429' })
      expect(first.asked).toBe(3)
    })

    test('what is asked is left alone by nobody', async () => {
      const { ask, first } = await oneRefuses(storage, 400)
      for (let count = 0; count < 2; count++) expect(await ask()).toMatchObject({ tip: 'errors.openai.400' })
      expect(first.asked).toBe(2)
    })
  })
})

describe('three processes on one database with two upstreams', () => {
  async function threeProcesses() {
    const storage = { database_url: await aPostgresqlAddress() }
    const [first, second] = [await heldUpstream(), await heldUpstream()]
    const environment = { OPENAI_BASE_URL: first.base_url, COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '2' }
    const portals: Portal[] = []
    for (let count = 0; count < 3; count++) portals.push(await startPortal({ storage, environment }))
    const [one] = portals as [Portal, ...Portal[]]
    const id = await storedUpstream(one.app, { base_url: second.base_url, concurrency: 2 })
    await until(() => {
      for (const { app } of portals) expect(app.services.upstreams.find(id)).not.toBe(null)
    })
    return { portals, one, id, first, second }
  }

  /** So many people, each at one of the processes, ask at the same moment. */
  async function allAtOnce({ portals, one }: Awaited<ReturnType<typeof threeProcesses>>, count: number) {
    const people = await Promise.all(Array.from({ length: count }, () => one.person()))
    const sockets = await Promise.all(people.map((each, at) => each.at(portals[at % 3]?.url ?? '').silent()))
    for (const [at, socket] of sockets.entries()) socket.send(question(`question ${at}`, { new_title: 'x' }))
    await Promise.all(
      sockets.map(socket => socket.until(frame => frame.type === 'waiting' || frame.type === 'queueing')),
    )
    return sockets
  }

  const most = (upstreams: readonly HeldUpstream[]) => upstreams.map(upstream => upstream.most)

  test('ask each of them for no more than it answers at once, and leave nobody out', async () => {
    const portals = await threeProcesses()
    const { first, second } = portals
    const sockets = await allAtOnce(portals, 12)
    await until(() => expect([first.running, second.running]).toEqual([2, 2]))
    first.letGo()
    second.letGo()
    for (const socket of sockets)
      expect(await socket.until(ended)).toMatchObject({ outcome: 'finished', charged: true })
    expect(most([first, second])).toEqual([2, 2])
    expect([...first.asked, ...second.asked].toSorted()).toEqual(
      Array.from({ length: 12 }, (_, at) => `question ${at}`).toSorted(),
    )
  })

  test('move what waits at any of them from one that is paused to the other one', async () => {
    const portals = await threeProcesses()
    const { first, second, one, id } = portals
    const sockets = await allAtOnce(portals, 9)
    await until(() => expect([first.running, second.running]).toEqual([2, 2]))
    const running = [...second.asked]
    await changeUpstream(one.app, id, { paused_since: 1 })
    first.letGo()
    await until(() => expect(first.asked).toHaveLength(7))
    second.letGo()
    for (const socket of sockets) expect(await socket.until(ended)).toMatchObject({ outcome: 'finished' })
    expect(second.asked).toEqual(running)
    expect(first.most).toBe(2)
  })

  test('leave alone what another process was refused by', async () => {
    const storage = { database_url: await aPostgresqlAddress() }
    const first = await refusing(429, { 'retry-after': '120' })
    const portals: Portal[] = []
    for (let count = 0; count < 3; count++)
      portals.push(await startPortal({ storage, environment: { OPENAI_BASE_URL: first.base_url } }))
    const [one] = portals as [Portal, ...Portal[]]
    await storedUpstream(one.app, { base_url: one.simulator.url, concurrency: 100 })
    const first_id = one.app.services.upstreams.ofSettings('openai_api').id
    const lin = await one.person()
    const refused = await lin.chat(question('hello', { new_title: 'x' }))
    expect(await refused.until(ended)).toMatchObject({ tip: 'errors.openai.429' })
    await until(() => {
      for (const { app } of portals) expect(app.services.upstreams.find(first_id)?.health.state).toBe('cooling')
    })
    for (const { url } of portals) {
      const chat = await lin.at(url).chat(question('hello', { new_title: 'x' }))
      await chat.until(bringsText)
      expect(await chat.until(ended)).toMatchObject({ outcome: 'finished' })
      await chat.closed
    }
    expect(first.asked).toBe(1)
  })
})
