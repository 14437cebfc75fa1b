import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { aSimulator, emptyFolder, peopleIn } from '#testing/dataFolder.ts'
import { aPostgresqlAddress } from '#testing/database.ts'
import { bringsText, type Person, question, textOfFrames } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { startServer } from '#testing/server.ts'
import { rawUpstream } from '#testing/upstream.ts'

/** Leases are looked at every second. Only for asks that may lose theirs: a busy machine may not renew it in time. */
const SHORT_LEASE = { COMMONS_ASKING_LEASE_SECONDS: '3' }
/** No process is away for so long. */
const LONG_LEASE = { COMMONS_ASKING_LEASE_SECONDS: '600' }

/** Two servers on one database, and people who are signed in at the first; the second knows them as well. */
async function twoServers(environment: Record<string, string> = {}) {
  const storage = { database_url: await aPostgresqlAddress() }
  const simulator = await aSimulator()
  const one = await startPortal({ storage, simulator, environment })
  const two = await startPortal({ storage, simulator, environment })
  return { one, two, simulator }
}

const lastText = ({ mapping, current_node }: ConversationHistory) =>
  textOf(mapping[current_node ?? ''] ?? { content: null })

describe('two servers on one database', () => {
  test('let an ask of the one be followed at the other, from its beginning and from its middle', async () => {
    const { one, two, simulator } = await twoServers()
    simulator.setPace(100)
    const lin = await one.person()
    const chat = await lin.chat(question('/simulate tokens=150', { new_title: 'x' }))
    const accepted = await chat.until(frame => frame.type === 'accepted')
    await chat.until(bringsText)
    chat.leave()
    await chat.closed
    const seen = Math.max(...chat.frames.map(frame => Number(frame['n'] ?? 0)))
    const [whole, rest] = await Promise.all(
      [0, seen].map(after => lin.at(two.url).chat({ resume: accepted['ask_id'], after })),
    )
    await Promise.all([whole?.closed, rest?.closed])
    const sent = simulator.journal[0]?.sent
    expect(textOfFrames(whole?.frames ?? [])).toBe(sent)
    expect(textOfFrames(rest?.frames ?? [])).toBe(sent)
    // It has come in pieces, not when all was over.
    expect(whole?.frames.filter(frame => typeof frame['t'] === 'string').length).toBeGreaterThan(1)
    let n = seen
    for (const frame of rest?.frames ?? []) {
      if (typeof frame['t'] === 'string') expect(Number(frame['n']) - frame['t'].length).toBe(n)
      if (typeof frame['n'] === 'number') n = frame['n']
    }
    expect(rest?.frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'finished', charged: true })
  })

  test('let an ask of the one be stopped at the other', async () => {
    const { one, two, simulator } = await twoServers()
    simulator.setPace(20)
    const lin = await one.person()
    const chat = await lin.chat(question('/simulate tokens=5000', { new_title: 'x' }))
    await chat.until(bringsText)
    const other = await lin.at(two.url).chat({ resume: chat.frames[0]?.['ask_id'], after: 0 })
    await other.until(frame => frame.type === 'accepted')
    other.send({ stop: true })
    for (const each of [chat, other])
      expect(await each.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'stopped', charged: true })
    await simulator.waitFor(entry => entry.ended === 'aborted')
    expect(textOfFrames(other.frames)).toBe(textOfFrames(chat.frames))
  })

  test('take a question that is sent again to the other one as the same ask', async () => {
    const { one, two, simulator } = await twoServers()
    simulator.setPace(100)
    const lin = await one.person()
    const request = question('/simulate tokens=100', { new_title: 'x', ask_id: crypto.randomUUID() })
    const [first, again] = await Promise.all([lin.chat(request), lin.at(two.url).chat(request)])
    await Promise.all([first.closed, again.closed])
    expect(simulator.journal).toHaveLength(1)
    for (const { frames } of [first, again]) expect(textOfFrames(frames)).toBe(simulator.journal[0]?.sent)
  })

  test('answer no more at once than the account may, together', async () => {
    let running = 0
    let most = 0
    const base_url = await rawUpstream((request, response) => {
      most = Math.max(most, ++running)
      request.resume().on('end', () =>
        setTimeout(() => {
          running--
          response.end('data: {"choices":[{"delta":{"content":"answer"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n')
        }, 5),
      )
    })
    const { one, two } = await twoServers({
      OPENAI_BASE_URL: base_url,
      COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1',
    })
    const people: Person[] = []
    for (let count = 0; count < 8; count++) people.push(await one.person())
    const asked = await Promise.all(
      people.map((person, index) => person.at(index % 2 === 0 ? one.url : two.url).ask('hello', { new_title: 'x' })),
    )
    expect(asked.map(frames => frames.at(-1))).toMatchObject(
      people.map(() => ({ type: 'finished', outcome: 'finished', charged: true })),
    )
    expect(most).toBe(1)
  })

  test('hear of changed settings and ended sessions from each other', async () => {
    const { one, two, simulator } = await twoServers()
    simulator.setPace(20)
    const lin = await one.person()
    await one.admin.result('PUT', '/system/config', { asking: { max_text_length: 100 } })
    await expect.poll(() => lin.at(two.url).result('GET', '/status/portal')).toMatchObject({ max_text_length: 100 })
    const chat = await lin.at(two.url).chat(question('/simulate tokens=5000', { new_title: 'x' }))
    await chat.until(bringsText)
    await lin.result('POST', '/auth/logout')
    expect(await chat.closed).toEqual({ code: 1008, reason: 'errors.loginExpired' })
    // The ask is a record: it goes on, and stops when the account goes, whichever server is told.
    await one.admin.result('DELETE', `/user/${lin.id}`)
    await simulator.waitFor(entry => entry.ended === 'aborted')
  })

  test('leave each other their asks, however far apart their clocks are', async () => {
    const storage = { database_url: await aPostgresqlAddress() }
    const simulator = await aSimulator(50)
    const one = await startPortal({ storage, simulator, environment: LONG_LEASE })
    const lin = await one.person()
    const chat = await lin.chat(question('/simulate tokens=200', { new_title: 'x' }))
    await chat.until(bringsText)
    const ahead = { now: () => Date.now() + 6_000_000, monotonic: () => performance.now() }
    const two = await startPortal({ storage, simulator, environment: SHORT_LEASE, clock: ahead })
    expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({
      type: 'finished',
      outcome: 'finished',
      charged: true,
    })
    const history = await lin
      .at(two.url)
      .result<ConversationHistory>('GET', `/conv/${String(chat.frames[0]?.['conversation_id'])}`)
    expect(lastText(history)).toBe(simulator.journal[0]?.sent)
  })

  test('answer nothing any more that another one has taken over and closed', async () => {
    const { one, simulator } = await twoServers(SHORT_LEASE)
    simulator.setPace(20)
    const chat = await (await one.person()).chat(question('/simulate tokens=5000', { new_title: 'x' }))
    await chat.until(bringsText)
    // As it is closed by a process that finds its lease over, when this one was away for so long.
    await one.app.services.open.database
      .updateTable('asks')
      .set({
        holder: 'another',
        ask_state: 'done',
        outcome: 'interrupted',
        failure_key: 'interrupted',
        end_time: Date.now(),
      })
      .execute()
    expect(await chat.until(frame => frame.type === 'finished')).toMatchObject({
      type: 'finished',
      outcome: 'interrupted',
      charged: false,
    })
    await simulator.waitFor(entry => entry.ended === 'aborted')
  })

  test('close what a killed one has left behind, when its lease is over', async () => {
    const storage = { database_url: await aPostgresqlAddress() }
    const simulator = await aSimulator(50)
    const [lin, mei] = (await peopleIn(storage, simulator, 2, { total_ask_count: 10 })) as [Person, Person]
    const environment = { COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1' }
    const killed = await startServer({
      ...environment,
      ...LONG_LEASE,
      DATABASE_URL: storage.database_url,
      COMMONS_DATA_DATA_DIR: await emptyFolder(),
      OPENAI_BASE_URL: simulator.url,
      OPENAI_API_KEY: 'test-key',
    })
    const left = await startPortal({ storage, simulator, environment: { ...environment, ...SHORT_LEASE } })
    const chat = await lin.at(killed.url).chat(question('/simulate tokens=5000', { new_title: 'x' }))
    await chat.until(frame => Number(frame['n']) > 200)
    const waiting = await mei.at(left.url).chat(question('hello', { new_title: 'x' }))
    await waiting.until(frame => frame.type === 'queueing')
    killed.kill('SIGKILL')
    await killed.ended
    const again = await lin.at(left.url).chat({ resume: chat.frames[0]?.['ask_id'], after: 0 })
    simulator.setPace(0)
    // As when its time has passed.
    await left.app.services.open.database
      .updateTable('asks')
      .set({ lease_until: 0 })
      .where('ask_state', '=', 'asking')
      .execute()
    expect(await again.until(frame => frame.type === 'finished')).toMatchObject({
      type: 'finished',
      outcome: 'interrupted',
      charged: true,
    })
    const history = await lin
      .at(left.url)
      .result<ConversationHistory>('GET', `/conv/${String(chat.frames[0]?.['conversation_id'])}`)
    expect(lastText(history)).not.toBe('')
    // The killed one had asked for the models as well.
    const asked = simulator.journal.find(({ path }) => path.endsWith('/chat/completions'))
    expect(asked?.sent.startsWith(lastText(history))).toBe(true)
    expect(textOfFrames(again.frames)).toBe(lastText(history))
    // Its position in the queue is free, and so is the person.
    expect(await waiting.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'finished' })
    expect((await lin.at(left.url).ask('go on', { new_title: 'y' })).at(-1)).toMatchObject({
      type: 'finished',
      outcome: 'finished',
    })
    expect(await lin.at(left.url).result('GET', '/user/me')).toMatchObject({
      setting: { openai_api: { total_ask_count: 8 } },
    })
  })
})
