import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { aSimulator, emptyFolder, peopleIn } from '#testing/dataFolder.ts'
import { bringsText, type Person, question, textOfFrames } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { startServer } from '#testing/server.ts'

const lastOf = ({ mapping, current_node }: ConversationHistory) =>
  mapping[current_node ?? ''] ?? { content: null, metadata: null }

function historyOf(person: Person, frames: readonly { [field: string]: unknown }[]): Promise<ConversationHistory> {
  return person.result('GET', `/conv/${String(frames[0]?.['conversation_id'])}`)
}

describe('a server that is told to stop', () => {
  test('lets running answers end, tells the queue to come again, and ends with 0', async () => {
    const data_dir = await emptyFolder()
    const simulator = await aSimulator(20)
    const people = await peopleIn({ data_dir }, simulator, 5, { total_ask_count: 10 })
    const env = {
      COMMONS_DATA_DATA_DIR: data_dir,
      OPENAI_BASE_URL: simulator.url,
      OPENAI_API_KEY: 'test-key',
      COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '2',
    }
    let server = await startServer(env)
    const [lin, old, mei, tan, late] = people.map(person => person.at(server.url)) as [
      Person,
      Person,
      Person,
      Person,
      Person,
    ]
    const running = [
      await lin.chat(question('/simulate tokens=3000', { new_title: 'x' })),
      await old.chat(question('/simulate tokens=3000', { new_title: 'x' }), null),
    ]
    await running[0]?.until(bringsText)
    await running[1]?.until(frame => frame.type === 'message')
    const queued = [
      await mei.chat(question('hello', { new_title: 'x' })),
      await tan.chat(question('hello', { new_title: 'x' }), null),
    ]
    for (const chat of queued) await chat.until(frame => frame.type === 'queueing')

    server.kill('SIGTERM')
    // Clients without our subprotocol know no word for an interruption.
    expect(await queued[0]?.closed).toEqual({ code: 1012, reason: 'errors.interrupted' })
    expect(await queued[1]?.closed).toEqual({ code: 1012, reason: 'errors.askError' })
    expect(queued[0]?.frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'interrupted', charged: false })
    expect(queued[1]?.frames.at(-1)).toMatchObject({ type: 'error', tip: 'errors.askError' })
    // Whoever comes now is told so, in whatever way the moment allows.
    const refused = await late.chat(question('hello')).then(
      async chat => (await chat.closed).code,
      () => 'no handshake',
    )
    expect([1012, 'no handshake']).toContain(refused)
    simulator.setPace(0)
    expect(await running[0]?.closed).toEqual({ code: 1000, reason: 'tips.finished' })
    expect(running[0]?.frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'finished', charged: true })
    expect(await running[1]?.closed).toEqual({ code: 1000, reason: 'tips.finished' })
    expect(await server.ended).toMatchObject({ code: 0, errors: '' })

    server = await startServer(env)
    const kept = await historyOf(lin.at(server.url), running[0]?.frames ?? [])
    expect(textOf(lastOf(kept))).toBe(textOfFrames(running[0]?.frames ?? []))
    expect(lastOf(kept).metadata).toMatchObject({ finish_reason: 'stop' })
    expect(await mei.at(server.url).result('GET', '/user/me')).toMatchObject({
      setting: { openai_api: { total_ask_count: 10 } },
    })
    expect(Object.values((await historyOf(mei.at(server.url), queued[0]?.frames ?? [])).mapping).map(textOf)).toEqual([
      'hello',
    ])
    expect((await mei.at(server.url).ask('hello', { new_title: 'x' })).at(-1)).toMatchObject({
      type: 'finished',
      outcome: 'finished',
    })
    server.kill('SIGINT')
    expect(await server.ended).toMatchObject({ code: 0, errors: '' })
  })

  test('cuts answers that take too long, keeps them as far as they came and says so', async () => {
    const data_dir = await emptyFolder()
    const simulator = await aSimulator(20)
    const portal = await startPortal({ storage: { data_dir }, simulator })
    const lin = await portal.person()
    const chat = await lin.chat(question('/simulate tokens=3000', { new_title: 'x' }))
    await chat.until(bringsText)
    await portal.close() // gives no time at all
    expect(await chat.closed).toEqual({ code: 1012, reason: 'errors.interrupted' })
    expect(chat.frames.at(-1)).toMatchObject({ type: 'finished', outcome: 'interrupted', charged: true })
    await simulator.waitFor(entry => entry.ended === 'aborted')
    const again = await startPortal({ storage: { data_dir }, simulator })
    const kept = await historyOf(lin.at(again.url), chat.frames)
    expect(lastOf(kept).metadata).toMatchObject({ ending: 'interrupted' })
    expect(textOf(lastOf(kept))).toBe(textOfFrames(chat.frames))
    expect(textOf(lastOf(kept))).not.toBe('')
  })

  test('stops at once when it is told twice', async () => {
    const data_dir = await emptyFolder()
    const simulator = await aSimulator(20)
    const [lin] = (await peopleIn({ data_dir }, simulator, 1)) as [Person]
    const server = await startServer({
      COMMONS_DATA_DATA_DIR: data_dir,
      OPENAI_BASE_URL: simulator.url,
      OPENAI_API_KEY: 'test-key',
    })
    const chat = await lin.at(server.url).chat(question('/simulate tokens=3000', { new_title: 'x' }))
    await chat.until(bringsText)
    server.kill('SIGTERM')
    server.kill('SIGINT')
    expect(await server.ended).toMatchObject({ code: 1 })
  })
})
