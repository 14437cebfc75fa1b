import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { eachStorage } from '#testing/database.ts'
import { keepingFiles } from '#testing/keptFiles.ts'
import { until } from '#testing/until.ts'
import { aPortal, asked, DAY, deletedOf, lastOf, listOf, NOON, questionOf } from './keeping.testing.ts'

eachStorage((_name, storage) => {
  describe('what a person has deleted', () => {
    test('is listed with its end, brought back until then, and gone at the first 04:00 after its days', async () => {
      const { person, clock, clean, rows, admin } = await aPortal(storage)
      const lin = await person()
      const [tea, boat] = [await asked(lin, 'Tea'), await asked(lin, 'Boat')]
      for (const id of [tea, boat]) await lin.result('DELETE', `/conv/${id}`)
      const ends = '2026-12-20T22:15:00.000Z'
      expect(await deletedOf(lin)).toEqual({
        days: 30,
        conversations: [
          {
            conversation_id: boat,
            title: 'Boat',
            source: 'openai_api',
            model: 'gpt_4',
            deleted: expect.any(String),
            ends,
          },
          {
            conversation_id: tea,
            title: 'Tea',
            source: 'openai_api',
            model: 'gpt_4',
            deleted: expect.any(String),
            ends,
          },
        ],
      })
      const { rows: hidden } = await admin.result<{ rows: unknown[] }>('GET', '/system/conversations?state=hidden')
      expect(hidden).toMatchObject([{ hidden: { ends } }, { hidden: { ends } }])
      await lin.result('POST', `/conv/${tea}/restore`)
      clock.set(Date.parse(ends) - 1_000)
      expect(await clean()).toMatchObject({ deleted: 1, people: 1 })
      expect(await rows()).toEqual(['Tea'])
      expect((await deletedOf(lin)).conversations).toEqual([])
      expect(await lin.call('POST', `/conv/${boat}/restore`)).toMatchObject({ message: 'errors.conversationNotFound' })
    })

    test('is nobody else’s to list or to bring back, but superusers bring back everybody’s', async () => {
      const { person, admin } = await aPortal(storage)
      const [lin, mei] = [await person(), await person()]
      const id = await asked(lin, 'Tea')
      await lin.result('DELETE', `/conv/${id}`)
      expect((await deletedOf(mei)).conversations).toEqual([])
      expect(await mei.call('POST', `/conv/${id}/restore`)).toMatchObject({ message: 'errors.conversationNotFound' })
      await admin.result('POST', `/conv/${id}/restore`)
      expect(await listOf(lin)).toMatchObject([{ title: 'Tea' }])
    })

    test('stays a day less than its days, and while it is answered', async () => {
      const { person, clock, clean, rows, database } = await aPortal(storage)
      const lin = await person()
      const id = await asked(lin, 'Tea')
      await lin.result('DELETE', `/conv/${id}`)
      clock.pass(29 * DAY)
      expect(await clean()).toMatchObject({ deleted: 0 })
      clock.pass(2 * DAY)
      await database.updateTable('asks').set({ end_time: null }).where('conversation_id', '=', id).execute()
      expect(await clean()).toMatchObject({ deleted: 0 })
      await database.updateTable('asks').set({ end_time: 1 }).where('conversation_id', '=', id).execute()
      expect(await clean()).toMatchObject({ deleted: 1 })
      expect(await rows()).toEqual([])
    })

    test('goes at once where it is kept for no day', async () => {
      const { person, rows } = await aPortal(storage, { COMMONS_KEEPING_DELETED_DAYS: '0' }, true)
      const lin = await person()
      await lin.result('DELETE', `/conv/${await asked(lin, 'Tea')}`)
      await until(async () => expect(await rows()).toEqual([]))
    })

    test('takes the files along that only it used, and no others', async () => {
      const { person, app, clock, clean, database } = await aPortal(storage)
      const lin = await person()
      const files = keepingFiles(app, lin)
      const [own, shared] = [
        await files.picture({ name: 'own.png' }),
        await files.picture({ name: 'shared.png', seed: 2 }),
      ]
      const ask = async (...ids: string[]) => {
        const attachments = ids.map(file_id => ({ file_id, as: 'picture' as const }))
        const [accepted] = await lin.ask('look', { new_title: 'x', attachments })
        return String(accepted?.['conversation_id'])
      }
      const [first] = [await ask(own, shared), await ask(shared)]
      await lin.result('DELETE', `/conv/${first}`)
      clock.pass(31 * DAY)
      expect(await clean()).toMatchObject({ deleted: 1, files: 1 })
      const left = await database.selectFrom('uploaded_files').select(['original_filename']).execute()
      expect(left).toEqual([{ original_filename: 'shared.png' }])
      const folder = join(app.services.configuration.current().data.data_dir, 'uploads', String(lin.id))
      expect(readdirSync(folder).length).toBe(1)
    })
  })

  test('what was taken back of a conversation goes after the same days', async () => {
    const { person, clock, clean, database } = await aPortal(storage)
    const lin = await person()
    const id = await asked(lin, 'Tea', 'first')
    const frames = await lin.ask('second', {
      new_conversation: false,
      conversation_id: id,
      parent: await lastOf(lin, id),
    })
    const question = String(frames[0]?.['question_id'] ?? frames[0]?.['message_id'] ?? '')
    const withdrawn = question === '' ? await questionOf(lin, id, 'second') : question
    await lin.result('DELETE', `/conv/${id}/question/${withdrawn}`)
    const count = async () => (await database.selectFrom('messages').select('message_id').execute()).length
    expect(await count()).toBe(4)
    clock.pass(31 * DAY)
    expect(await clean()).toMatchObject({ withdrawn: 2, deleted: 0 })
    expect(await count()).toBe(2)
    expect(await listOf(lin)).toMatchObject([{ title: 'Tea' }])
  })

  test('what a sync found missing never ends by itself', async () => {
    const { person, clock, clean, database, rows } = await aPortal(storage, { COMMONS_KEEPING_CONVERSATION_DAYS: '1' })
    const lin = await person()
    const id = await asked(lin, 'Tea')
    await database
      .updateTable('conversations')
      .set({ gone_upstream_time: NOON })
      .where('conversation_id', '=', id)
      .execute()
    for (let night = 0; night < 3; night++) {
      clock.pass(100 * DAY)
      expect(await clean()).toMatchObject({ announced: 0, aged: 0, deleted: 0 })
    }
    expect(await rows()).toEqual(['Tea'])
  })

  describe('a conversation that nobody has used for its days', () => {
    test('is announced to its person for seven days, and goes then', async () => {
      const { person, clock, clean, rows } = await aPortal(storage, { COMMONS_KEEPING_CONVERSATION_DAYS: '90' })
      const lin = await person()
      await asked(lin, 'Tea')
      clock.pass(82 * DAY)
      expect(await clean()).toMatchObject({ announced: 0 })
      expect(await listOf(lin)).not.toMatchObject([{ ends: expect.any(String) }])
      clock.pass(DAY)
      expect(await clean()).toMatchObject({ announced: 1, aged: 0 })
      const [record] = await listOf(lin)
      expect(record?.ends).toBe('2027-02-18T22:15:00.000Z')
      clock.set(Date.parse(String(record?.ends)) - DAY)
      expect(await clean()).toMatchObject({ announced: 0, aged: 0 })
      clock.set(Date.parse(String(record?.ends)))
      expect(await clean()).toMatchObject({ aged: 1, people: 1 })
      expect(await rows()).toEqual([])
    })

    test('gets its seven days also where the setting comes when it is old already, and stays when it is used', async () => {
      const { person, clock, clean, rows, admin } = await aPortal(storage)
      const lin = await person()
      const [tea] = [await asked(lin, 'Tea'), await asked(lin, 'Boat')]
      clock.pass(400 * DAY)
      await admin.result('PUT', '/system/config', { keeping: { conversation_days: 30 } })
      expect(await clean()).toMatchObject({ announced: 2, aged: 0 })
      clock.pass(6 * DAY)
      await lin.ask('again', { new_conversation: false, conversation_id: tea, parent: await lastOf(lin, tea) })
      expect(await clean()).toMatchObject({ aged: 0 })
      clock.pass(DAY)
      expect(await clean()).toMatchObject({ aged: 1 })
      expect(await rows()).toEqual(['Tea'])
      expect((await listOf(lin))[0]).not.toHaveProperty('ends')
    })
  })

  test('after its days nothing of it is found in the database’s own files, the uploads, the log or an export', async () => {
    const { person, clock, clean, overwrite, app, database_url: url, lines, admin } = await aPortal(storage, {}, true)
    const canary = (part: string) => `kanarienvogel${part}`
    const lin = await person()
    const picture = await keepingFiles(app, lin).document({ name: `${canary('name')}.pdf`, pages: [canary('page')] })
    const attachments = [{ file_id: picture, as: 'text' as const }]
    for (let other = 0; other < 20; other++) await asked(lin, `Other ${other}`, `about ${'tea '.repeat(other * 20)}`)
    const [accepted] = await lin.ask(`what is ${canary('question')}?`, { new_title: canary('title'), attachments })
    const id = String(accepted?.['conversation_id'])
    await lin.result('PATCH', `/conv/${id}?title=${canary('renamed')}`)
    await until(async () =>
      expect(await lin.result('GET', `/conv/search?words=${canary('question')}`)).toMatchObject({ total: 1 }),
    )
    const { data_dir } = app.services.configuration.current().data
    const found = () => (url === null ? inFolder(data_dir, 'kanarienvogel') : inPages(url, 'kanarienvogel'))
    expect((await found()).length).toBeGreaterThan(0)
    const filter = { words: canary('renamed') }
    const { key } = await admin.result<{ key: string }>('POST', '/system/conversations/bulk', {
      action: 'hide',
      filter,
    })
    await until(async () =>
      expect((await app.services.jobs.find('conversations', key))?.last_run).toMatchObject({ result: { done: 1 } }),
    )
    await app.services.jobs.close()
    clock.pass(31 * DAY)
    expect(await clean()).toMatchObject({ deleted: 1, files: 1 })
    expect(await overwrite()).toBe(true)
    expect(await found()).toEqual([])
    expect(inFolder(join(data_dir), 'kanarienvogel')).toEqual([])
    expect(lines.filter(line => line.includes('kanarienvogel'))).toEqual([])
    expect(JSON.stringify(await lin.result('GET', '/conv/export'))).not.toContain('kanarienvogel')
    expect(JSON.stringify(await admin.result('GET', '/system/conversations'))).not.toContain('kanarienvogel')
    expect(await listOf(lin)).toHaveLength(20)
  })
})

/** The files below a folder that hold the text. */
function inFolder(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(path => statSync(path).isFile() && (path.includes(text) || readFileSync(path, 'latin1').includes(text)))
}

/**
 * The relations of a database, with their indexes and what is stored apart, whose pages on the disk hold the text. As
 * the one who owns the server, for the tests' own server.
 */
async function inPages(database_url: string, text: string): Promise<string[]> {
  const client = new pg.Client(Object.assign(new URL(database_url), { username: 'postgres' }).href)
  await client.connect()
  try {
    await client.query('checkpoint')
    const { rows } = await client.query<{ relname: string }>(
      `select relname from pg_class where relkind in ('r', 'i', 't')
       and relnamespace in ('public'::regnamespace, 'pg_toast'::regnamespace)
       and position(convert_to($1, 'UTF8') in pg_read_binary_file(pg_relation_filepath(oid))) > 0`,
      [text],
    )
    return rows.map(({ relname }) => relname)
  } finally {
    await client.end()
  }
}
