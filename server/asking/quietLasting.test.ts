import { describe, expect, test } from 'vitest'
import type { Allowance } from '#contract/allowance.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import { textOf } from '#contract/messages.ts'
import { aPostgresqlAddress, eachStorage } from '#testing/database.ts'
import { aSimulator, emptyFolder, peopleIn } from '#testing/dataFolder.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { askIdOf, askQuietly, busyWith, hasEnded, quietly, quietPortal, waits } from '#testing/quietAsks.ts'
import { startServer } from '#testing/server.ts'
import { until } from '#testing/until.ts'

const countOf = async (person: Person) => {
  const { sources } = await person.result<Allowance>('GET', '/user/me/allowance')
  return sources.find(({ source }) => source === 'openai_api')?.total
}

/** What the list says of the only conversation. */
const only = async (person: Person) => (await person.result<ConversationRecord[]>('GET', '/conv'))[0]

const failureIn = async (person: Person) => {
  const history = await person.result<ConversationHistory>('GET', `/conv/${(await only(person))?.conversation_id}`)
  return Object.values(history.failures ?? {})[0]
}

eachStorage((_name, storage) => {
  describe('an ask that waits until it is quiet', () => {
    test('is charged half, when it begins', async () => {
      const portal = await quietPortal(storage)
      const { upstream, admin } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 2 } })
      await busyWith(mei, 'busy')
      const quiet = await askQuietly(lin, 'quiet')
      await quiet.until(waits)
      expect(await countOf(lin)).toEqual({ used: 0, allowed: 2, remaining: 2 })
      upstream.answer('busy')
      await upstream.arrived('quiet')
      expect(await countOf(lin)).toEqual({ used: 0.5, allowed: 2, remaining: 1.5 })
      upstream.answer('quiet')
      await quiet.until(hasEnded)
      expect(await countOf(lin)).toEqual({ used: 0.5, allowed: 2, remaining: 1.5 })
      // One more whole ask leaves half of one, which is enough for a quiet one alone.
      const whole = await lin.chat(question('whole', { new_title: 'whole' }))
      await upstream.arrived('whole')
      upstream.answer('whole')
      await whole.until(hasEnded)
      const refused = await lin.chat(question('too much', { new_title: 'x' }))
      expect(await refused.until(hasEnded)).toMatchObject({ tip: 'errors.noAvailableTotalAskCount' })
      const half = await askQuietly(lin, 'half')
      await upstream.arrived('half')
      upstream.fail('half')
      // The token that came is charged for; nothing is left.
      await half.until(hasEnded)
      expect(await countOf(lin)).toEqual({ used: 2, allowed: 2, remaining: 0 })
    })

    test('is refused at once where its limit cannot open before it is given up', async () => {
      const portal = await quietPortal(storage)
      const lin = await portal.person()
      await portal.admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 0 } })
      const refused = await lin.chat(quietly('quiet'))
      expect(await refused.until(hasEnded)).toMatchObject({ tip: 'errors.noAvailableTotalAskCount' })
      expect(await lin.result('GET', '/conv')).toEqual([])
    })

    test('is asked now when its person wants it, at the whole price and in its turn', async () => {
      const portal = await quietPortal(storage)
      const { upstream, admin } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 2 } })
      await busyWith(mei, 'busy')
      const quiet = await askQuietly(lin, 'quiet')
      await quiet.until(waits)
      expect(await lin.call('POST', `/asks/${askIdOf(quiet)}/now`)).toMatchObject({ code: 200 })
      await quiet.until(frame => frame.type === 'queueing' && frame['quiet'] === undefined)
      expect(await countOf(lin)).toMatchObject({ used: 1 })
      const later = await (await portal.person()).chat(question('later', { new_title: 'later' }))
      await later.until(frame => frame.type === 'queueing')
      upstream.letGo()
      await later.until(hasEnded)
      expect(await quiet.until(hasEnded)).toMatchObject({ outcome: 'finished' })
      expect(upstream.asked).toEqual(['busy', 'quiet', 'later'])
    })

    test('that may not be asked now goes on waiting', async () => {
      const portal = await quietPortal(storage)
      const { upstream } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      const own = await busyInQueue(lin)
      const quiet = await askQuietly(lin, 'quiet')
      await quiet.until(waits)
      expect(await lin.call('POST', `/asks/${askIdOf(quiet)}/now`)).toMatchObject({
        message: 'errors.cannotConnectMoreThanOneClient',
      })
      expect(await mei.call('POST', `/asks/${askIdOf(quiet)}/now`)).toMatchObject({ message: 'errors.askNotFound' })
      upstream.letGo()
      await own.until(hasEnded)
      expect(await quiet.until(hasEnded)).toMatchObject({ outcome: 'finished' })
    })

    test('survives that its person signs out', async () => {
      const portal = await quietPortal(storage)
      const { upstream } = portal
      const [lin, mei] = [await portal.person('lin'), await portal.person()]
      await busyWith(mei, 'busy')
      await (await askQuietly(lin, 'quiet')).until(waits)
      await lin.result('POST', '/auth/logout')
      upstream.letGo()
      await until(() => expect(upstream.asked).toEqual(['busy', 'quiet']))
    })

    test('does not survive that all sessions of its person are ended, also where nobody hears of it', async () => {
      const portal = await quietPortal(storage)
      const { upstream, admin, app, clock } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      await (await askQuietly(lin, 'quiet')).until(waits)
      await (await askQuietly(lin, 'another')).until(waits)
      clock.pass(1)
      await admin.result('DELETE', `/user/${lin.id}/sessions`)
      const { database } = app.services.open
      const states = () =>
        database.selectFrom('asks').select('outcome').where('user_id', '=', lin.id).orderBy('create_time').execute()
      await until(async () => expect(await states()).toEqual([{ outcome: 'stopped' }, { outcome: 'stopped' }]))
      // As if the message had been lost.
      await database
        .updateTable('asks')
        .set({ ask_state: 'quiet', outcome: null, end_time: null, stop_requested: false })
        .where('user_id', '=', lin.id)
        .execute()
      upstream.letGo()
      await until(async () => expect(await states()).toEqual([{ outcome: 'failed' }, { outcome: 'failed' }]))
      expect(upstream.asked).toEqual(['busy'])
    })

    test.each([
      ['whose model was taken away', { available_models: ['gpt_3_5'] }, 'errors.userNotAllowToUseGPT4Model'],
      ['whose person may not ask any more', { allow_to_use: false }, 'errors.userNotAllowToUseChatType'],
    ])('%s is given up when it would begin, and says why', async (_fact, openai_api, tip) => {
      const portal = await quietPortal(storage)
      const { upstream, admin } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      const quiet = await askQuietly(lin, 'quiet')
      await quiet.until(waits)
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api })
      upstream.letGo()
      expect(await quiet.until(hasEnded)).toMatchObject({ type: 'error', tip, charged: false })
      expect(upstream.asked).toEqual(['busy'])
      expect(await only(lin)).toMatchObject({ unanswered: true })
      expect(await failureIn(lin)).toMatchObject({ tip })
    })

    test.each([
      ['is deactivated', (admin: Person, id: number) => admin.result('PATCH', `/user/${id}`, { is_active: false })],
      ['is removed', (admin: Person, id: number) => admin.result('DELETE', `/user/${id}`)],
    ])('is not begun when its person %s', async (_fact, change) => {
      const portal = await quietPortal(storage)
      const { upstream, admin, app } = portal
      const [lin, mei] = [await portal.person(), await portal.person()]
      await busyWith(mei, 'busy')
      await (await askQuietly(lin, 'quiet')).until(waits)
      await change(admin, lin.id)
      const { database } = app.services.open
      await until(async () =>
        expect(await database.selectFrom('asks').select('ask_id').where('ask_state', '=', 'quiet').execute()).toEqual(
          [],
        ),
      )
      upstream.letGo()
      await busyWith(await portal.person(), 'last')
      await upstream.arrived('last')
      expect(upstream.asked).toEqual(['busy', 'last'])
    })
  })
})

/** An ask of this person that waits for its turn. */
async function busyInQueue(person: Person) {
  const chat = await person.chat(question('own', { new_title: 'own' }))
  await chat.until(frame => frame.type === 'queueing')
  return chat
}

test('an ask that waits until it is quiet survives that its process is killed, and begins in the next one', async () => {
  const storage = { data_dir: await emptyFolder() }
  const simulator = await aSimulator()
  const [lin, mei] = await peopleIn(storage, simulator, 2)
  if (lin === undefined || mei === undefined) throw new Error('there are two')
  const environment = {
    COMMONS_DATA_DATA_DIR: storage.data_dir,
    OPENAI_BASE_URL: simulator.url,
    OPENAI_API_KEY: 'test-key',
    COMMONS_OPENAI_API_MAX_COMPLETION_CONCURRENCY: '1',
  }
  const first = await startServer(environment)
  const busy = await mei.at(first.url).chat(question('/simulate tokens=100000 pace=5', { new_title: 'busy' }))
  await busy.until(frame => frame.type === 'waiting')
  const quiet = await askQuietly(lin.at(first.url), 'quiet')
  await quiet.until(waits)
  first.kill('SIGKILL')
  await first.ended
  const second = await startServer(environment)
  const again = await lin.at(second.url).chat({ resume: askIdOf(quiet), after: 0 })
  expect(await again.until(hasEnded)).toMatchObject({ outcome: 'finished', charged: true })
  const record = await only(lin.at(second.url))
  const { mapping, current_node } = await lin
    .at(second.url)
    .result<ConversationHistory>('GET', `/conv/${record?.conversation_id}`)
  expect(textOf(mapping[current_node ?? ''] ?? { content: null })).not.toBe('')
})

test('of two processes on one database one begins it, once', async () => {
  const storage = { database_url: await aPostgresqlAddress() }
  const simulator = await aSimulator()
  const one = await startPortal({ storage, simulator })
  const two = await startPortal({ storage, simulator })
  await one.admin.result('PUT', '/system/config', { openai_api: { max_completion_concurrency: 1 } })
  const people = await Promise.all(Array.from({ length: 8 }, () => one.person()))
  const chats = await Promise.all(
    people.map((person, at) => askQuietly(person.at(at % 2 === 0 ? one.url : two.url), `quiet ${at}`)),
  )
  for (const chat of chats) expect(await chat.until(hasEnded)).toMatchObject({ outcome: 'finished' })
  const asked = simulator.journal.map(({ body }) => JSON.stringify(body)).filter(body => body.includes('quiet '))
  expect(new Set(asked).size).toBe(8)
  expect(asked).toHaveLength(8)
})
