import { describe, expect, test } from 'vitest'
import {
  type ConversationChange,
  ConversationChangeResult,
  type Deletion,
} from '#contract/conversationAdministration.ts'
import type { ConversationRecord } from '#contract/conversations.ts'
import type { JobRead } from '#contract/jobs.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { heldUpstream } from '#testing/heldUpstream.ts'
import { bringsText, type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { storedConversation } from '#testing/rows.ts'
import { until } from '#testing/until.ts'

async function portalWith(storage: NewStorage, count: number) {
  const portal = await startPortal({ storage: await storage() })
  const { admin, app } = portal
  const { database } = app.services.open
  const lin = await portal.person('lin')
  for (let at = 0; at < count; at++)
    await storedConversation(database, { title: `t${at}`, user_id: lin.id, create_time: 1_700_000_000_000 + at })
  const rows = await database.selectFrom('conversations').select('id').orderBy('id').execute()

  const ended = (key: string) =>
    until(async () => {
      const job = await admin.result<JobRead>('GET', `/system/jobs/conversations/${key}`)
      if (job.state !== 'idle') throw new Error(`it is ${job.state}`)
      return job
    })
  /** What came of a change, when its job is over. */
  async function changed(change: ConversationChange) {
    const { key } = await admin.result<{ key: string }>('POST', '/system/conversations/bulk', change)
    return { key, ...ConversationChangeResult.parse((await ended(key)).last_run?.result) }
  }
  return { ...portal, lin, ids: rows.map(({ id }) => id), ended, changed }
}

const titlesOf = async (person: Person) =>
  (await person.result<ConversationRecord[]>('GET', '/conv')).map(({ title }) => title).toSorted()

eachStorage((_name, storage) => {
  describe('a change of many conversations', () => {
    test('hides and restores them, and says what became of each', async () => {
      const { admin, lin, ids, changed } = await portalWith(storage, 3)
      const [first = 0, second = 0] = ids
      expect(await changed({ action: 'hide', ids: [second] })).toMatchObject({ done: 1, done_ids: [second] })
      const gone = 999_999
      expect(await changed({ action: 'hide', ids: [gone, second, first, first] })).toMatchObject({
        done: 1,
        already: 1,
        failed: 1,
        done_ids: [first],
        already_ids: [second],
        failed_ids: { conversationNotFound: [gone] },
      })
      expect(await titlesOf(lin)).toEqual(['t2'])
      expect(await admin.result('GET', '/system/conversations?state=hidden&sort=title')).toMatchObject({
        total: 2,
        rows: [
          { title: 't0', hidden: { by: { username: 'admin' }, deletion: expect.any(Number) } },
          { title: 't1', hidden: { by: { username: 'admin' }, deletion: expect.any(Number) } },
        ],
      })
      expect(await changed({ action: 'restore', filter: { state: 'hidden' } })).toMatchObject({ done: 2, done_ids: [] })
      expect(await titlesOf(lin)).toEqual(['t0', 't1', 't2'])
    })

    test('does nothing more for somebody who is no superuser any more; a superuser may go on with it', async () => {
      const { admin, lin, app, ended } = await portalWith(storage, 1)
      const { key } = await app.services.conversationAdministration.change(lin.id, { action: 'vanish', filter: {} })
      expect(await ended(key)).toMatchObject({
        last_run: { outcome: 'failed', failure: { message: 'errors.authorityDeny' } },
        may_go_on: true,
      })
      expect(await titlesOf(lin)).toEqual(['t0'])
      const path = `/system/jobs/conversations/go-on?key=${key}`
      expect((await lin.call('POST', path)).message).toBe('errors.authorityDeny')
      expect(await admin.result('POST', path)).toMatchObject({ key, started_by: { id: admin.id } })
      expect(await ended(key)).toMatchObject({ last_run: { outcome: 'finished', done: 1 }, may_go_on: false })
      expect(await titlesOf(lin)).toEqual([])
      expect((await admin.call('POST', path)).message).toBe('errors.nothingLeftToDo')
    })

    test('that was stopped goes on behind those that it came to, as long as one of the others is there', async () => {
      const { admin, lin, ids, app, ended } = await portalWith(storage, 5)
      const { database } = app.services.open
      const result = { action: 'hide', deletion: null, done: 2, already: 0, failed: 0 }
      const named = { done_ids: ids.slice(0, 2), already_ids: [], failed_ids: {} }
      const stop = async (key: string, which: Record<'ids' | 'filter', unknown>) => {
        const run = { started_by: lin.id, start_time: 1, end_time: Date.now(), done: 2, total: 5 }
        const job_input = { action: 'hide', ...which, before: Date.now(), user_id: null, deletion: null, by: lin.id }
        await database
          .insertInto('jobs')
          .values({
            ...{ job_name: 'conversations', job_key: key, job_input, next_run: null, end_time: run.end_time },
            progress: { done: 2, total: 5, cursor: { after: ids[1] ?? 0, result: { ...result, ...named } } },
            last_run: { ...run, outcome: 'stopped' },
          })
          .execute()
        return () => admin.call('POST', `/system/jobs/conversations/go-on?key=${key}`)
      }
      const goOn = await stop('hide-filter', { ids: null, filter: { state: 'valid' } })
      await database.deleteFrom('conversations').where('id', '=', ids[4]!).execute()
      expect((await goOn()).result).toMatchObject({ done: 2, total: 4 })
      expect((await ended('hide-filter')).last_run).toMatchObject({ outcome: 'finished', result: { done: 4 } })
      // The first two were not looked at again.
      expect(await titlesOf(lin)).toEqual(['t0', 't1'])
      const byId = await stop('hide-ids', { ids, filter: null })
      await database.deleteFrom('conversations').where('id', '>', ids[1]!).execute()
      expect((await byId()).message).toBe('errors.nothingLeftToDo')
    })

    test('assigns them to somebody, in whose list they are from then on', async () => {
      const { lin, person, ids, changed } = await portalWith(storage, 3)
      const mei = await person('mei')
      expect(await changed({ action: 'assign', ids: ids.slice(1), user_id: mei.id })).toMatchObject({ done: 2 })
      expect(await changed({ action: 'assign', ids, user_id: mei.id })).toMatchObject({ done: 1, already: 2 })
      expect(await changed({ action: 'assign', ids, user_id: 999_999 })).toMatchObject({
        done: 0,
        failed_ids: { userNotFound: ids },
      })
      expect([await titlesOf(lin), await titlesOf(mei)]).toEqual([[], ['t0', 't1', 't2']])
    })

    test('destroys what a filter finds hidden, and nothing that was hidden later', async () => {
      const { admin, lin, ids, changed, app } = await portalWith(storage, 4)
      const { database } = app.services.open
      await changed({ action: 'hide', ids: ids.slice(0, 2) })
      const { time } = await admin.result<{ time: string }>('GET', '/system/conversations/counts')
      await database
        .updateTable('conversations')
        .set({ is_valid: false, hide_time: Date.parse(time) + 1 })
        .where('id', '=', ids[2] ?? 0)
        .execute()
      expect(await changed({ action: 'vanish', filter: { state: 'hidden' }, before: time })).toMatchObject({ done: 2 })
      expect(await changed({ action: 'vanish', ids: ids.slice(0, 1) })).toMatchObject({ done: 0, already: 1 })
      expect(await titlesOf(lin)).toEqual(['t3'])
      expect(await admin.result('GET', '/system/conversations?state=hidden')).toMatchObject({ total: 1 })
    })

    test('is refused where it does not say exactly what is to be done to which', async () => {
      const { admin, changed } = await portalWith(storage, 0)
      const wrong = {
        nothing: { action: 'hide' },
        'no ids': { action: 'hide', ids: [] },
        'too many ids': { action: 'hide', ids: Array.from({ length: 501 }, (_, at) => at + 1) },
        'an id that none can have': { action: 'hide', ids: [0] },
        'ids and a filter': { action: 'hide', ids: [1], filter: {} },
        'nobody to assign to': { action: 'assign', ids: [1] },
        'somebody who is given nothing': { action: 'hide', ids: [1], user_id: 1 },
        'the destruction of what is not hidden': { action: 'vanish', filter: {} },
        'an unknown action': { action: 'drop', ids: [1] },
      }
      for (const [what, body] of Object.entries(wrong))
        expect(await admin.call('POST', '/system/conversations/bulk', body), what).toMatchObject({
          message: 'errors.requestValidationError',
        })
      const most = Array.from({ length: 500 }, (_, at) => 999_999_999_999_000 + at)
      expect(await changed({ action: 'hide', ids: most })).toMatchObject({
        failed: 500,
        failed_ids: { conversationNotFound: most },
      })
    })
  })

  describe('deleting everything', () => {
    test('by a superuser hides everybody’s conversations, and all of them can be restored together', async () => {
      const { admin, lin, ids, changed, ended } = await portalWith(storage, 120)
      await changed({ action: 'hide', ids: ids.slice(0, 1) })
      expect(await admin.call('DELETE', '/conv')).toEqual({ code: 200, message: '', result: null })
      expect(await titlesOf(lin)).toEqual([])
      const deletions = await admin.result<Deletion[]>('GET', '/system/deletions')
      expect(deletions).toMatchObject([
        { of_all: true, hidden: 119, by: { username: 'admin' } },
        { of_all: false, hidden: 1 },
      ])
      const { key } = await admin.result<{ key: string }>('POST', `/system/deletions/${deletions[0]?.id}/restore`)
      expect((await ended(key)).last_run).toMatchObject({ outcome: 'finished', done: 119, total: 119 })
      expect(await titlesOf(lin)).toHaveLength(119)
      expect(await admin.result('GET', '/system/deletions')).toHaveLength(1)
      expect(await admin.call('POST', '/system/deletions/999999/restore')).toMatchObject({
        message: 'errors.deletionNotFound',
      })
    })

    test('of one’s own hides nobody else’s, whoever does it', async () => {
      const { admin, lin, person, app } = await portalWith(storage, 2)
      await storedConversation(app.services.open.database, { title: 'of the superuser', user_id: admin.id })
      const mei = await person('mei')
      await mei.result('DELETE', '/conv')
      await admin.result('DELETE', '/conv?own=true')
      expect([await titlesOf(admin), await titlesOf(lin)]).toEqual([[], ['t0', 't1']])
      await lin.result('DELETE', '/conv')
      expect(await titlesOf(lin)).toEqual([])
      expect(await admin.result('GET', '/system/deletions')).toMatchObject([
        { of_all: false, hidden: 2, by: { id: lin.id } },
        { of_all: false, hidden: 1, by: { id: admin.id } },
      ])
    })
  })

  describe('destroying a conversation', () => {
    test('removes all that it held, and leaves the log its numbers', async () => {
      const { lin, app, ids, changed } = await portalWith(storage, 0)
      expect(ids).toEqual([])
      await lin.ask('remember the pelican', { new_title: 'x' })
      await lin.ask('/simulate fault=500', { new_title: 'y' })
      const { database } = app.services.open
      await until(async () => {
        expect(await lin.result('GET', '/conv/search?words=pelican')).not.toMatchObject({ total: 0 })
        expect(
          await database.selectFrom('asks').select('failure_key').where('failure_key', 'is not', null).execute(),
        ).toHaveLength(1)
      })
      const rows = await database.selectFrom('conversations').select('id').execute()
      expect(await changed({ action: 'vanish', ids: rows.map(({ id }) => id) })).toMatchObject({ done: 2 })
      for (const table of ['conversations', 'messages', 'searched_messages', 'search_queue'] as const)
        expect(await database.selectFrom(table).selectAll().execute(), table).toEqual([])
      const asks = await database.selectFrom('asks').select(['failure_key', 'failure_values']).execute()
      expect(asks).toEqual([
        { failure_key: null, failure_values: null },
        { failure_key: null, failure_values: null },
      ])
      expect(await database.selectFrom('ask_logs').select('ask_time').execute()).not.toEqual([])
    })

    test('leaves those who ask in others alone, and the running ask stores nothing', async () => {
      const upstream = await heldUpstream()
      const { person, admin, app } = await startPortal({
        storage: await storage(),
        environment: { OPENAI_BASE_URL: upstream.base_url },
      })
      const lin = await person()
      const chat = await lin.chat(question('hello', { new_title: 'x' }))
      await chat.until(bringsText)
      const { database } = app.services.open
      const [row] = await database.selectFrom('conversations').select('id').execute()
      await admin.result('POST', '/system/conversations/bulk', { action: 'vanish', ids: [row?.id] })
      await until(async () => expect(await database.selectFrom('conversations').select('id').execute()).toEqual([]))
      upstream.answer('hello')
      await chat.closed
      expect(await database.selectFrom('messages').select('message_id').execute()).toEqual([])
    })
  })
})
