import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Allowance } from '#contract/allowance.ts'
import type { UserReadAdmin } from '#contract/users.ts'
import type { UserPage, UserRow, UserSession } from '#contract/userAdministration.ts'
import { emptyFolder } from '#testing/dataFolder.ts'
import { eachStorage } from '#testing/database.ts'
import { question, signIn } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

const NEW = { username: 'lin', nickname: '林', email: 'lin@example.org' }

eachStorage((_name, storage) => {
  describe('an administrator', () => {
    test('makes somebody with a password that is shown once, resets it, and ends sessions', async () => {
      const lines: string[] = []
      const { admin, url, app } = await startPortal({ storage: await storage(), log: line => lines.push(line) })
      const made = await admin.result<{ user: UserReadAdmin; password: string }>('POST', '/system/users', NEW)
      const { id } = made.user
      expect(made.password).toMatch(/^\w{20}$/)
      const lin = await signIn(url, 'lin', made.password)
      const given = { ...NEW, username: 'mei', email: 'mei@example.org', password: 'a-good-password' }
      expect(await admin.result('POST', '/system/users', given)).toMatchObject({ password: null })

      await signIn(url, 'lin', made.password)
      const sessions = await admin.result<UserSession[]>('GET', `/user/${id}/sessions`)
      expect(sessions).toHaveLength(2)
      expect(sessions[0]).toMatchObject({ is_current: false, address: '127.0.0.1', user_agent: 'node' })
      const { database } = app.services.open
      const stored = await database.selectFrom('sessions').select('token_hash').where('user_id', '=', id).execute()
      const [first] = stored.map(({ token_hash }) => token_hash.slice(0, 22))
      expect(await admin.result('DELETE', `/user/${id}/sessions/${first}`)).toEqual({ ended: 1 })
      expect(await admin.result('DELETE', `/user/${id}/sessions/${first}`)).toEqual({ ended: 0 })
      expect(await admin.result('DELETE', `/user/${id}/sessions`)).toEqual({ ended: 1 })
      expect((await lin.call('GET', '/user/me')).code).toBe(10401)

      const reset = await admin.result<{ password: string }>('POST', `/user/${id}/password`, {})
      await expect(signIn(url, 'lin', made.password)).rejects.toThrow('badCredentials')
      await signIn(url, 'lin', reset.password)
      expect(await admin.result('POST', `/user/${id}/password`, { password: 'another-good-one' })).toEqual({
        password: null,
      })
      await signIn(url, 'lin', 'another-good-one')
      // One's own sessions end without the one that asks, and a new password of one's own keeps it under a new token.
      await signIn(url, 'admin', 'correct-horse-7')
      expect(await admin.result('DELETE', `/user/${admin.id}/sessions`)).toEqual({ ended: 1 })
      expect(await admin.result<UserSession[]>('GET', `/user/${admin.id}/sessions`)).toMatchObject([
        { is_current: true },
      ])
      for (const secret of [made.password, reset.password, 'another-good-one']) {
        expect(lines.join('\n')).not.toContain(secret)
        expect(JSON.stringify(await database.selectFrom('users').selectAll().execute())).not.toContain(secret)
      }
      for (const path of ['sessions', 'removal', 'allowance', 'ledger'])
        expect((await admin.call('GET', `/user/999999/${path}`)).message, path).toBe('errors.userNotExist')
    })

    test('sees what somebody may ask as they do, what was taken from their counts, and how they stand in the list', async () => {
      const { admin, person, simulator } = await startPortal({ storage: await storage() })
      const lin = await person('lin')
      await admin.result('PATCH', `/user/${lin.id}/setting`, {
        openai_api: { total_ask_count: 5, per_model_ask_count: { gpt_4: 1 } },
      })
      await lin.ask('one', { new_title: 'one' })
      simulator.nextFault({ kind: 'stall', after_tokens: 0 })
      const chat = await lin.chat(question('two', { new_title: 'two', model: 'gpt_3_5' }))
      await chat.until(frame => frame.type === 'waiting')
      const [own, seen] = await Promise.all([
        lin.result<Allowance>('GET', '/user/me/allowance'),
        admin.result<Allowance>('GET', `/user/${lin.id}/allowance`),
      ])
      expect(seen.sources).toEqual(own.sources)
      expect(own.sources[1]?.models.map(({ model, verdict }) => [model, verdict.message])).toContainEqual([
        'gpt_4',
        'errors.noAvailableGPT4AskCount',
      ])
      const page = await admin.result<UserPage>('GET', '/system/users?words=LIN&state=asking')
      expect(page.rows).toEqual([await admin.result<UserRow>('GET', `/system/users/${lin.id}`)])
      expect(page.rows[0]).toMatchObject({
        chat_status: 'asking',
        conversations: 2,
        sessions: 1,
        openai_api: { total: { used: 2, allowed: 5, remaining: 3 } },
      })
      chat.send({ stop: true })
      await chat.until(frame => frame.type === 'finished')
      const ledger = await admin.result<{ rows: object[]; total: number }>('GET', `/user/${lin.id}/ledger?size=20`)
      expect(ledger.rows.slice(0, 3)).toMatchObject([
        { change: 1, reason: 'given back', of_total: true, model: 'gpt_3_5' },
        { change: -1, reason: 'reserved', of_total: true, of_model: false },
        { change: -1, reason: 'reserved', of_total: true, of_model: true, model: 'gpt_4' },
      ])
      expect(ledger.rows).toHaveLength(ledger.total)
    })

    test('does not undo what another one changed meanwhile, and loses nothing of either', async () => {
      const { admin, person } = await startPortal({ storage: await storage() })
      const { id } = await person('lin')
      const seen = await admin.result<UserReadAdmin>('GET', `/user/${id}`)
      await admin.result('PATCH', `/user/${id}`, { nickname: 'Lin', remark: 'pays' })
      const mine = { nickname: '林', is_verified: !seen.is_verified, remark: 'pays' }
      const expected = { nickname: seen.nickname, is_verified: seen.is_verified, remark: seen.remark }
      const refused = await admin.call('PATCH', `/user/${id}`, { ...mine, expected })
      expect(refused).toMatchObject({
        code: -1,
        message: 'errors.changedMeanwhile',
        // The remark is what was wanted anyway.
        detail: [{ loc: ['body', 'nickname'], msg: '"Lin"', type: 'changed_meanwhile' }],
      })
      expect(await admin.result('GET', `/user/${id}`)).toMatchObject({ nickname: 'Lin', is_verified: seen.is_verified })
      await admin.result('PATCH', `/user/${id}`, { ...mine, expected: { ...expected, nickname: 'Lin' } })
      expect(await admin.result('GET', `/user/${id}`)).toMatchObject(mine)

      const change = (body: object) => admin.call('PATCH', `/user/${id}/setting`, body)
      const until_june = '2030-06-01T00:00:00.000Z'
      await change({
        credits: 3,
        openai_web: { valid_until: until_june, per_model_ask_count: { gpt_4: 7 } },
        openai_api: {
          total_ask_count: 5,
          available_models: ['gpt_4'],
          rate_limits: [{ window_seconds: 60, max_requests: 2 }],
        },
      })
      const conflict = await change({
        credits: 4,
        openai_web: { valid_until: null, use_team: true, per_model_ask_allowed: { gpt_4: 9, gpt_3_5: 1 } },
        openai_api: { total_ask_allowed: 9, rate_limits: [] },
        expected: {
          credits: 0,
          openai_web: { valid_until: null, use_team: false, per_model_ask_allowed: { gpt_4: -1, gpt_3_5: -1 } },
          openai_api: { total_ask_allowed: -1, available_models: ['gpt_4', 'gpt_4'], rate_limits: [] },
        },
      })
      expect(conflict.message).toBe('errors.changedMeanwhile')
      expect(conflict.detail?.map(({ loc, msg }) => [loc.slice(1).join('.'), msg]).toSorted()).toEqual([
        ['credits', '3'],
        ['openai_api.rate_limits', '[{"window_seconds":60,"max_requests":2}]'],
        ['openai_api.total_ask_allowed', '5'],
        ['openai_web.per_model_ask_allowed.gpt_4', '7'],
        ['openai_web.valid_until', JSON.stringify(until_june)],
      ])
      expect((await admin.result<UserReadAdmin>('GET', `/user/${id}`)).setting).toMatchObject({
        credits: 3,
        openai_web: { valid_until: until_june, use_team: false, per_model_ask_count: { gpt_4: 7, gpt_3_5: -1 } },
      })
      // The same moment, written in another zone.
      const same = { openai_web: { valid_until: '2030-06-01T08:00:00+08:00' } }
      expect((await change({ openai_web: { use_team: true }, expected: same })).code).toBe(200)
      const both = { openai_api: { total_ask_allowed: 1, total_ask_count: 1 } }
      expect((await change(both)).detail?.[0]).toMatchObject({ loc: ['body', 'openai_api', 'total_ask_allowed'] })
    })

    test('is told what becomes of what somebody has, before and when it is removed', async () => {
      const where = await storage()
      const data_dir = 'data_dir' in where ? where.data_dir : await emptyFolder()
      const { admin, person, app, simulator } = await startPortal({
        storage: where,
        environment: { COMMONS_DATA_DATA_DIR: data_dir, COMMONS_OPENAI_WEB_FILE_UPLOAD_STRATEGY: 'server_upload_only' },
      })
      const lin = await person('lin')
      await lin.ask('one', { new_title: 'one' })
      simulator.nextFault({ kind: 'stall', after_tokens: 1 })
      const chat = await lin.chat(question('two', { new_title: 'two' }))
      await chat.until(frame => frame.type === 'waiting')
      const { files } = app.services
      const stored = await files.local.keep(lin.id, { filename: 'a.txt', content: pieces('hello') })
      const { storage_path } = await app.services.open.database
        .selectFrom('uploaded_files')
        .select('storage_path')
        .where('file_id', '=', stored.id)
        .executeTakeFirstOrThrow()
      const path = join(data_dir, storage_path ?? '')
      expect(existsSync(path)).toBe(true)
      expect(await admin.result('GET', `/user/${lin.id}/removal`)).toEqual({
        conversations: 2,
        files: 1,
        file_bytes: 5,
        running_asks: 1,
        sessions: 1,
        is_last_superuser: false,
      })
      expect(await admin.result('GET', `/user/${admin.id}/removal`)).toMatchObject({ is_last_superuser: true })
      expect((await admin.call('DELETE', `/user/${admin.id}`)).message).toBe('errors.lastSuperuser')
      await admin.result('DELETE', `/user/${lin.id}`)
      expect(existsSync(path)).toBe(false)
      await chat.closed
      await until(async () => expect((await admin.result<UserPage>('GET', '/system/users?state=asking')).total).toBe(0))
      const { database } = app.services.open
      const left = await database.selectFrom('conversations').select('user_id').execute()
      expect(left).toEqual([{ user_id: null }, { user_id: null }])
    })
  })
})

async function* pieces(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text)
}
