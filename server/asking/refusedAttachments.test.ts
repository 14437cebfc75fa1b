import { describe, expect, test } from 'vitest'
import type { AskAttachment, AskRequest } from '#contract/asking.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { keepingFiles } from '#testing/keptFiles.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

const MODEL = 'gpt_4'

async function aPortal(storage: NewStorage, environment: Record<string, string> = {}) {
  const portal = await startPortal({ storage: await storage(), environment })
  const [lin, mei] = [await portal.person(), await portal.person()]
  return { ...portal, lin, mei, files: keepingFiles(portal.app, lin) }
}

/** How an ask with these ends: its reason, when it is refused before it begins. */
async function endOf(person: Person, attachments: unknown, more: Partial<AskRequest> = {}): Promise<string> {
  // What a hostile client sends has no type.
  const given = { model: MODEL, new_title: 'files', attachments: attachments as AskAttachment[], ...more }
  return (await (await person.chat(question('Look', given))).closed).reason
}

eachStorage((_name, storage) => {
  describe('an ask with attachments', () => {
    test('of somebody else is as unknown as one that does not exist, and nothing comes of it', async () => {
      const { lin, mei, admin, files, simulator } = await aPortal(storage)
      const id = await files.picture()
      const of = (file_id: string) => [{ file_id, as: 'picture' }]
      for (const [person, file_id] of [
        [mei, id],
        [admin, id],
        [lin, crypto.randomUUID()],
        [lin, ''],
        [lin, '../x'],
        [lin, `${id}\0`],
      ] as const)
        expect(await endOf(person, of(file_id)), file_id).toBe('errors.resourceNotFound')
      expect(await endOf(lin, [{ file_id: id, as: 'picture' }, ...of(crypto.randomUUID())])).toBe(
        'errors.resourceNotFound',
      )
      expect([await lin.result('GET', '/conv'), await mei.result('GET', '/conv'), simulator.journal]).toEqual([
        [],
        [],
        [],
      ])
    })
    test('has what each is to be sent as: text that was read, pages that were drawn and that there are', async () => {
      const { lin, files } = await aPortal(storage)
      const [picture, plan] = [await files.picture(), await files.document({ name: 'plan.pdf', pages: ['a', 'b'] })]
      expect(await endOf(lin, [{ file_id: picture, as: 'text' }])).toBe('errors.attachmentNotRead')
      expect(await endOf(lin, [{ file_id: plan, as: 'picture' }])).toBe('errors.attachmentNotRead')
      expect(await endOf(lin, [{ file_id: plan, as: 'text', pages: '3-4' }])).toBe('errors.invalidAskRequest')
      for (const wrong of [{ pages: '0' }, { pages: 'all' }, { as: 'video' }, { detail: 'huge' }, { file_id: 7 }])
        expect(await endOf(lin, [{ file_id: plan, as: 'text', ...wrong }])).toMatch(
          /^errors\.(invalidAskRequest|requestValidationError)$/,
        )
      expect(await endOf(lin, [{ file_id: plan, as: 'text', pages: '2' }])).toBe('tips.finished')
    })
    test('has no more of them, and no larger ones, than the settings allow', async () => {
      const { lin, files } = await aPortal(storage, {
        COMMONS_FILES_MAX_ATTACHMENTS: '2',
        COMMONS_FILES_MAX_ASK_BYTES: '200000',
      })
      const [small, large] = [await files.picture(), await files.picture({ bytes: Buffer.alloc(200_000, 7) })]
      const pictures = (...ids: string[]) => ids.map(file_id => ({ file_id, as: 'picture' }))
      expect(await endOf(lin, pictures(small, small, small))).toBe('errors.tooManyFiles')
      expect(await endOf(lin, pictures(small, large))).toBe('errors.attachmentsTooLarge')
      expect(await endOf(lin, pictures(...Array.from({ length: 500 }, () => small)))).toBe('errors.invalidAskRequest')
      expect(await endOf(lin, pictures(small, small))).toBe('tips.finished')
    })
    test('says of a file what is known of it here, whatever the request says', async () => {
      const { lin, files } = await aPortal(storage)
      const file_id = await files.picture({ name: 'hills.png' })
      const lies = { name: '../evil.exe', size: -1, width: 1e9, height: null, mime_type: 'text/html' }
      expect(await endOf(lin, [{ file_id, as: 'picture', ...lies }])).toBe('tips.finished')
      const [record] = await lin.result<{ conversation_id: string }[]>('GET', '/conv')
      const { mapping } = await lin.result<ConversationHistory>('GET', `/conv/${record?.conversation_id}`)
      const asked = Object.values(mapping).find(({ role }) => role === 'user')
      expect(asked?.metadata?.attachments).toMatchObject([
        { id: file_id, name: 'hills.png', mimeType: 'image/png', width: 512, height: 512, as: 'picture' },
      ])
      const { files: own } = await lin.result<{ files: { conversation: { id: string } | null }[] }>('GET', '/files')
      expect(own[0]?.conversation?.id).toBe(record?.conversation_id)
    })
    test('is refused before it is asked where the model is known not to take them, and asked where nobody knows', async () => {
      const { lin, files, admin } = await aPortal(storage)
      const picture = [{ file_id: await files.picture(), as: 'picture' }]
      expect(await endOf(lin, picture)).toBe('tips.finished')
      const [upstream] = await admin
        .result<{ id: number; source: string; version: number; model_settings: object[] }[]>('GET', '/system/upstreams')
        .then(all => all.filter(({ source }) => source === 'openai_api'))
      const set = {
        takes_pictures: false,
        takes_files: null,
        uses_tools: null,
        context_length: null,
        thinking_levels: null,
      }
      await admin.result('PATCH', `/system/upstreams/${upstream?.id}`, {
        version: upstream?.version,
        model_settings: [{ code: MODEL, name: 'gpt-4', set, request_fields: null }],
      })
      expect(await endOf(lin, picture)).toBe('errors.openai.picturesNotTaken')
    })
    test('is found by what its document says, until that is deleted; then by its name alone', async () => {
      const { lin, files } = await aPortal(storage)
      const file_id = await files.document({ name: 'budget.pdf', pages: ['money '.repeat(300), 'the zeppelin'] })
      expect(await endOf(lin, [{ file_id, as: 'text' }])).toBe('tips.finished')
      const found = async (words: string) =>
        (await lin.result<{ results: unknown[] }>('GET', `/conv/search?words=${words}`)).results.length
      await until(async () => expect(await found('zeppelin')).toBe(1))
      await lin.result('DELETE', `/files/${file_id}`)
      await until(async () => expect(await found('zeppelin')).toBe(0))
      expect(await found('budget')).toBeGreaterThan(0)
    })
    test('stays for the conversation that still uses it, goes with the last one, and with the account', async () => {
      const { lin, files, admin, app } = await aPortal(storage)
      const file_id = await files.picture()
      expect(await endOf(lin, [{ file_id, as: 'picture' }])).toBe('tips.finished')
      expect(await endOf(lin, [{ file_id, as: 'picture' }])).toBe('tips.finished')
      const mine = async () =>
        (await lin.result<{ files: { id: string }[] }>('GET', '/files')).files.map(({ id }) => id)
      const records = await lin.result<{ conversation_id: string }[]>('GET', '/conv')
      expect(records).toHaveLength(2)
      await admin.call('DELETE', `/conv/${records[0]?.conversation_id}/vanish`)
      expect(await mine()).toEqual([file_id])
      await admin.call('DELETE', `/conv/${records[1]?.conversation_id}/vanish`)
      expect(await mine()).toEqual([])
      await files.picture()
      await admin.call('DELETE', `/user/${lin.id}`)
      expect(await app.services.open.database.selectFrom('uploaded_files').selectAll().execute()).toEqual([])
    })
  })
})
