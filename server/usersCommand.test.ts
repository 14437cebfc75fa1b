import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AuditRow } from '#contract/audit.ts'
import type { ConversationRow } from '#contract/conversationAdministration.ts'
import type { JobRead } from '#contract/jobs.ts'
import type { UpstreamRead } from '#contract/upstreams.ts'
import { tables } from '#server/foundation/database/schema/schema.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { eachStorage } from '#testing/database.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import type { Person } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { aFolder, aTerminal } from '#testing/terminal.ts'
import { runCommand } from './commandLine.ts'

/** Columns that name a person: whose something is, and who did something as an administrator. */
const PERSONAL = [
  ...['user_id', 'uploader_id'],
  ...['hidden_by', 'deleted_by', 'updated_by', 'paused_by', 'secret_by', 'started_by'],
]

const INSTRUCTIONS = { about_me: 'I am lin', how_to_answer: '', is_on: true, with_keys: false }

eachStorage((_, storage) => {
  describe('a person on the command line', () => {
    test('is found, exported with everything, and erased with everything', async () => {
      const where = await storage()
      const data_dir = 'data_dir' in where ? where.data_dir : await emptyFolder()
      const env = { COMMONS_DATA_DATA_DIR: data_dir }
      const called = async (words: string[], input = '') => {
        const { terminal, said, complaints } = await aTerminal(where, { env, input })
        return { code: await runCommand(words, terminal), said: said.join('\n'), complaints: complaints.join('\n') }
      }
      const portal = await startPortal({
        storage: where,
        environment: { ...env, COMMONS_OPENAI_WEB_FILE_UPLOAD_STRATEGY: 'server_upload_only' },
      })
      const { admin, person, app } = portal
      const [lin, mei] = [await person('lin'), await person('mei')]
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_api: { total_ask_count: 9 } })
      await lin.result('PUT', '/user/me/instructions', INSTRUCTIONS)
      await admin.result('PATCH', '/plan/1', { max_keys: 1 })
      const { key } = await lin.result<{ key: string }>('POST', '/user/me/keys', { name: 'Laptop' })
      const prompt = { name: 'A letter', short_name: 'letter', text: 'the letter of lin' }
      await lin.result('POST', '/prompt', prompt)
      await admin.result('POST', '/prompt', { ...prompt, is_shared: true, text: 'of everybody' })
      const instructions = { text: 'told in one conversation', with_own: null }
      await lin.ask('the secret of lin', { new_title: 'mine', instructions })
      await lin.ask('another one', { new_title: 'hidden' })
      const own = await lin.result<{ conversation_id: string; title: string }[]>('GET', '/conv')
      const hidden = own.find(({ title }) => title === 'hidden')
      await lin.call('DELETE', `/conv/${hidden?.conversation_id}`)
      await mei.ask('of mei', { new_title: 'hers' })
      const content = (async function* pieces() {
        yield Buffer.from('a file of lin')
      })()
      const { id } = await app.services.files.local.keep(lin.id, { filename: '笔记.txt', content })
      const file_text = 'what was read in it'
      await app.services.open.database.insertInto('file_texts').values({ file_id: id, file_text }).execute()

      const folder = join(await aFolder(), 'lin')
      expect((await called(['export-user', 'lin', folder])).said).toBe(
        `${folder} holds what is stored of lin: 2 conversations, 2 asks, 1 file.`,
      )
      const { rows } = await admin.result<{ rows: AuditRow[] }>('GET', '/audit?action=user.exported')
      expect(rows).toMatchObject([
        { actor: { kind: 'command', name: 'export-user' }, subject: { kind: 'user', id: String(lin.id), name: 'lin' } },
      ])
      const read = (name: string) => readFileSync(join(folder, name), 'utf8')
      expect(readdirSync(folder).toSorted()).toEqual([
        'account.json',
        'asks.json',
        'conversations',
        'files',
        'files.json',
        'instructions.json',
        'keys.json',
        'ledger.json',
        'policy.json',
        'preferences.json',
        'prompts.json',
        'sessions.json',
        'usage-requests.json',
        'usage.json',
      ])
      expect(readdirSync(join(folder, 'conversations'))).toHaveLength(2)
      expect(
        readdirSync(join(folder, 'conversations'))
          .map(name => read(`conversations/${name}`))
          .join(),
      ).toMatch(/the secret of lin[^]*told in one conversation|told in one conversation[^]*the secret of lin/)
      expect(JSON.parse(read('instructions.json'))).toEqual(INSTRUCTIONS)
      expect(JSON.parse(read('prompts.json'))).toMatchObject([{ prompt_text: 'the letter of lin' }])
      expect(
        readdirSync(join(folder, 'files'))
          .map(name => read(`files/${name}`))
          .toSorted(),
      ).toEqual(['a file of lin', 'what was read in it'])
      expect(read('files.json')).toContain('笔记.txt')
      expect(JSON.parse(read('keys.json'))).toMatchObject([{ name: 'Laptop', ending: key.slice(-4) }])
      expect(JSON.parse(read('ledger.json'))).toHaveLength(3)
      const { database } = app.services.open
      const [session] = await database
        .selectFrom('sessions')
        .select('token_hash')
        .where('user_id', '=', lin.id)
        .execute()
      const everything = readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter(entry => entry.isFile())
        .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
        .join()
      expect(everything).not.toMatch(/password_hash|argon2|token_hash|secret_hash/)
      for (const secret of [session?.token_hash, key]) expect(everything).not.toContain(secret)
      expect(await called(['export-user', 'lin', folder])).toMatchObject({ code: 1, said: '' })

      expect(await called(['erase-user', 'lin'], 'mei')).toMatchObject({
        code: 1,
        complaints: 'That was another name. Nothing was removed.',
      })
      expect((await called(['erase-user', 'admin', '--yes'])).complaints).toBe(
        'The last active administrator stays one.',
      )
      const deletion = await actedAsAdministrator(admin, lin, mei)
      const kept = await changedByOthers(admin, lin)
      const erased = await called(['erase-user', 'lin'], 'lin\n')
      expect(erased).toMatchObject({ code: 0, complaints: '' })
      expect(erased.said).toContain('2 conversations with all messages, 1 file, 2 asks, 5 entries of the ledger')
      expect(erased.said).toContain('2 rows of the log of asks name nobody now.')
      // What the portal has counted and not written yet is written of others alone.
      await app.services.requestCounts.flush()
      for (const [name, { columns }] of Object.entries(tables)) {
        for (const column of PERSONAL.filter(each => Object.hasOwn(columns, each))) {
          const table = name as 'user_credits' // every table that has such a column
          const rows = await database
            .selectFrom(table)
            .selectAll()
            .where(column as 'user_id', '=', lin.id)
            .execute()
          expect(rows, `${name}.${column}`).toEqual([])
        }
      }
      const jobs = await database.selectFrom('jobs').select(['job_name', 'job_key', 'last_run']).execute()
      expect(jobs.find(({ job_name }) => job_name === 'old jobs')?.last_run).toMatchObject({ started_by: null })
      expect(jobs.map(({ job_key }) => job_key).filter(key => key !== '')).toEqual([kept])
      expect(await database.selectFrom('conversations').select('title').execute()).toEqual([{ title: 'hers' }])
      expect(await mei.result('GET', '/conv')).toEqual([])
      await admin.result('POST', `/system/deletions/${deletion}/restore`)
      expect(
        (await database.selectFrom('ask_logs').select('user_id').orderBy('id').execute()).map(row => row.user_id),
      ).toEqual([null, null, mei.id])
      expect(readdirSync(join(data_dir, 'uploads'))).toEqual([])
      expect((await called(['erase-user', 'lin', '--yes'])).complaints).toBe('There is nobody of that name.')
      await expect.poll(() => mei.result<object[]>('GET', '/conv')).toHaveLength(1)
    })

    test('is hidden with what web accounts keep of them, or it is said which conversations stay there', async () => {
      const where = await storage()
      const simulator = await startSimulator({ tokens_per_second: 0 })
      onTestFinished(simulator.close)
      const environment = {
        COMMONS_OPENAI_WEB_ENABLED: 'true',
        COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: simulator.webUrl,
        COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: 'token',
      }
      const { admin, person } = await startPortal({ storage: where, simulator, environment })
      for (const each of [await person('lin'), await person('mei')]) {
        await admin.result('PATCH', `/user/${each.id}/setting`, { openai_web: { allow_to_use: true } })
        await each.ask('kept twice', { source: 'openai_web', model: 'gpt_3_5' })
      }
      const listed = async () => {
        const answer = await fetch(new URL('conversations?offset=0&limit=9', simulator.webUrl), {
          headers: { authorization: 'Bearer token' },
        })
        return ((await answer.json()) as { items: { id: string }[] }).items.map(({ id }) => id)
      }
      const erased = async (username: string, env: Record<string, string>) => {
        const { terminal, complaints } = await aTerminal(where, { env })
        expect(await runCommand(['erase-user', username, '--yes'], terminal)).toBe(0)
        return complaints.join()
      }
      const before = await listed()
      expect(before).toHaveLength(2)
      expect(await erased('lin', environment)).toBe('')
      const left = await listed()
      expect(left).toHaveLength(1)
      expect(await erased('mei', { ...environment, COMMONS_OPENAI_WEB_ENABLED: 'false' })).toMatch(
        new RegExp(`1 conversation, .*: ${left[0]}$`),
      )
      expect(await listed()).toEqual(left)
    })
  })
})

/**
 * Jobs of another administrator: one is about the person's conversations, the other about a conversation with the same
 * number. Gives the key of that one.
 */
async function changedByOthers(admin: Person, lin: Person): Promise<string> {
  const start = async (which: object) =>
    (await admin.result<{ key: string }>('POST', '/system/conversations/bulk', { action: 'restore', ...which })).key
  const keys = [await start({ ids: [lin.id] }), await start({ filter: { owner: String(lin.id) } })]
  const finished = async () =>
    (await admin.result<JobRead[]>('GET', '/system/jobs')).filter(
      ({ key, last_run }) => keys.includes(key) && last_run?.outcome === 'finished',
    )
  await expect.poll(finished).toHaveLength(2)
  return keys[0] ?? expect.unreachable('no job')
}

/**
 * What an administrator does that is stored with who did it. Gives the deletion of the conversations that are hidden.
 */
async function actedAsAdministrator(admin: Person, lin: Person, mei: Person): Promise<number> {
  await admin.result('PATCH', `/user/${lin.id}`, { is_superuser: true })
  await lin.result('PUT', '/system/settings', {
    portal: { name: 'Of lin' },
    credentials: { openai_web_access_token: 'token-of-lin' },
  })
  const { id } = await lin.result<UpstreamRead>('POST', '/system/upstreams', {
    ...{ source: 'openai_api', label: 'Of lin', base_url: 'http://127.0.0.1:9/v1', secret: 'sk-of-lin' },
  })
  await lin.result('POST', `/system/upstreams/${id}/pause`)
  const [hers] = (await admin.result<{ rows: ConversationRow[] }>('GET', `/system/conversations?owner=${mei.id}`)).rows
  const { key } = await lin.result<{ key: string }>('POST', '/system/conversations/bulk', {
    ...{ action: 'hide', ids: [hers?.id] },
  })
  await lin.result('POST', '/system/jobs/old%20jobs/start')
  const runs = async () =>
    (await admin.result<JobRead[]>('GET', '/system/jobs'))
      .filter(job => job.key === key || job.name === 'old jobs')
      .map(({ last_run }) => [last_run?.outcome, last_run?.started_by?.id])
  await expect.poll(runs).toEqual([
    ['finished', lin.id],
    ['finished', lin.id],
  ])
  const { rows } = await admin.result<{ rows: ConversationRow[] }>('GET', `/system/conversations?owner=${mei.id}`)
  return rows[0]?.hidden?.deletion ?? expect.unreachable('nothing was hidden')
}
