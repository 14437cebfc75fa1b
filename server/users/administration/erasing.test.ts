import { describe, expect, test } from 'vitest'
import type { Invitation } from '#contract/invitations.ts'
import type { listOwnOversight } from '#contract/oversight.ts'
import type { ResultOf } from '#contract/call.ts'
import { tables } from '#server/foundation/database/schema/schema.ts'
import { NO_SOURCES } from '#server/sources/noSources.testing.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { keepingFiles } from '#testing/keptFiles.ts'
import { type Person, signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { erase, finishErasures } from './erasing.ts'

const PASSWORD = 'plum-blossom-9'

async function aPortal(storage: NewStorage) {
  const portal = await startPortal({ storage: await storage() })
  const { open, users } = portal.app.services
  const dependencies = { open, users, sources: NO_SOURCES, stopAsksOf: async () => undefined }
  /** All that the database holds, but what other people’s sessions say of their browsers. */
  async function everything(): Promise<string> {
    const all: unknown[] = []
    for (const name of Object.keys(tables)) {
      const table = name as 'users' // every table
      all.push([name, await open.database.selectFrom(table).selectAll().execute()])
    }
    return JSON.stringify(all)
  }
  return { ...portal, ...dependencies, database: open.database, dependencies, everything }
}

/** Comes by an invitation, under a name that stands nowhere else. */
async function invited({ admin, url }: { admin: Person; url: string }, username: string): Promise<Person> {
  const { token } = await admin.result<Invitation & { token: string }>('POST', '/invitation', { uses: 1 })
  const response = await fetch(`${url}/api/invitation/accept`, {
    method: 'POST',
    headers: { origin: url, 'content-type': 'application/json' },
    body: JSON.stringify({ token, username, nickname: username, password: PASSWORD }),
  })
  expect(await response.json()).toMatchObject({ code: 200 })
  return signIn(url, username, PASSWORD)
}

eachStorage((_name, storage) => {
  describe('somebody who is erased', () => {
    test('leaves no name, word or file anywhere in the database, however they came and whatever was done to them', async () => {
      const portal = await aPortal(storage)
      const { admin, app, dependencies, everything } = portal
      const lin = await invited(portal, 'kanarienvogel')
      await lin.ask('what is a kanarienvogel?', { new_title: 'kanarienvogel' })
      await keepingFiles(app, lin).document({ name: 'kanarienvogel.pdf', pages: ['kanarienvogel'] })
      await admin.result('PATCH', `/user/${lin.id}`, { remark: 'is a kanarienvogel' })
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 9 } })
      const [conversation] = await lin.result<{ conversation_id: string }[]>('GET', '/conv')
      const why = { reason: 'other', text: 'is kanarienvogel ill?' }
      await admin.result('POST', `/conv/${conversation?.conversation_id}/oversight`, why)
      await admin.result('PUT', `/user/${lin.id}/hold`, { on: true, reason: 'the case of kanarienvogel' })
      await admin.result('PUT', `/user/${lin.id}/hold`, { on: false, reason: null })
      expect(await everything()).toContain('kanarienvogel')
      const erased = await erase(lin.id, dependencies)
      expect(erased).toMatchObject({ conversations: 1, files: 1, asks: 1, log_rows: 1, left_upstream: [] })
      expect(await everything()).not.toContain('kanarienvogel')
    })

    test('is still counted: the log of asks and the audit keep what was done, without who it was', async () => {
      const { person, database, dependencies } = await aPortal(storage)
      const lin = await person('lin')
      await lin.ask('one question')
      const audited = () => database.selectFrom('audit').selectAll().where('subject_id', '=', String(lin.id)).execute()
      const before = await audited()
      await erase(lin.id, dependencies)
      const logged = await database.selectFrom('ask_logs').select(['user_id', 'model']).execute()
      expect(logged).toEqual([{ user_id: null, model: 'gpt_4' }])
      const after = await audited()
      expect(after.map(({ action }) => action)).toEqual([
        ...before.map(({ action }) => action),
        'user.deactivated',
        'user.erased',
      ])
      expect(after.filter(row => row.subject_name ?? row.before ?? row.after ?? null)).toEqual([])
    })

    test('as an administrator leaves to others that a conversation was read, when and why', async () => {
      const { admin, person, url, dependencies } = await aPortal(storage)
      const [lin, mei] = [await person('lin'), await person('mei')]
      await admin.result('PATCH', `/user/${mei.id}`, { is_superuser: true })
      const reader = await signIn(url, 'mei', 'correct-horse-7')
      await lin.ask('one question', { new_title: 'Tea' })
      const [conversation] = await lin.result<{ conversation_id: string }[]>('GET', '/conv')
      const why = { reason: 'fault', text: 'the chart was wrong' }
      await reader.result('POST', `/conv/${conversation?.conversation_id}/oversight`, why)
      await erase(mei.id, dependencies)
      const { rows } = await lin.result<ResultOf<typeof listOwnOversight>>('GET', '/user/me/oversight')
      expect(rows).toMatchObject([{ title: 'Tea', viewer: { id: null, name: '' }, ...why }])
    })

    test('takes nothing of others along: their conversations, files and usage stay', async () => {
      const { app, person, database, dependencies } = await aPortal(storage)
      const [lin, mei] = [await person('lin'), await person('mei')]
      for (const each of [lin, mei]) {
        await each.ask('one question', { new_title: `Of ${each.id}` })
        await keepingFiles(app, each).picture({ name: `${each.id}.png` })
      }
      const usageOf = (user_id: number) =>
        database.selectFrom('usage_sums').select('asks').where('user_id', '=', user_id).execute()
      await erase(lin.id, dependencies)
      expect(await mei.result('GET', '/conv')).toMatchObject([{ title: `Of ${mei.id}` }])
      const files = await database.selectFrom('uploaded_files').select('original_filename').execute()
      expect(files).toEqual([{ original_filename: `${mei.id}.png` }])
      expect([await usageOf(lin.id), await usageOf(mei.id)]).toEqual([[], [{ asks: 1 }]])
    })
  })

  describe('nobody is erased', () => {
    test('who is the last administrator, and nothing of theirs is gone then', async () => {
      const { admin, dependencies, database } = await aPortal(storage)
      await admin.ask('one question', { new_title: 'Tea' })
      await expect(erase(admin.id, dependencies)).rejects.toMatchObject({ key: 'lastSuperuser' })
      expect(await admin.result('GET', '/conv')).toMatchObject([{ title: 'Tea' }])
      expect(await database.selectFrom('users').select('erase_time').execute()).toEqual([{ erase_time: null }])
    })
    test('of whom everything is kept, also where it was begun before, until the hold is taken back', async () => {
      const { admin, person, dependencies, database } = await aPortal(storage)
      const [lin, mei] = [await person('lin'), await person('mei')]
      await lin.ask('one question', { new_title: 'Tea' })
      await admin.result('PUT', `/user/${lin.id}/hold`, { on: true, reason: 'Court order 7' })
      await expect(erase(lin.id, dependencies)).rejects.toMatchObject({ key: 'userOnHold' })
      expect(await lin.result('GET', '/conv')).toMatchObject([{ title: 'Tea' }])
      // As a process leaves both that was killed in the middle.
      await database.updateTable('users').set({ erase_time: 1 }).where('id', 'in', [lin.id, mei.id]).execute()
      const ids = async () =>
        (await database.selectFrom('users').select('id').orderBy('id').execute()).map(({ id }) => id)
      expect(await finishErasures(Date.now(), dependencies)).toBe(1)
      expect(await ids()).toEqual([admin.id, lin.id])
      await database.updateTable('users').set({ hold_time: null }).where('id', '=', lin.id).execute()
      expect(await finishErasures(Date.now(), dependencies)).toBe(1)
      expect(await ids()).toEqual([admin.id])
    })
    test('whose erasure another process has begun a moment ago', async () => {
      const { person, dependencies, database } = await aPortal(storage)
      const lin = await person('lin')
      await database.updateTable('users').set({ erase_time: 1_000 }).where('id', '=', lin.id).execute()
      expect(await finishErasures(1_000, dependencies)).toBe(0)
      expect(await finishErasures(1_001, dependencies)).toBe(1)
    })
  })
})
