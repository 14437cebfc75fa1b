import { describe, expect, test } from 'vitest'
import type { AskAttachment } from '#contract/asking.ts'
import { Configuration } from '#contract/configuration/configuration.ts'
import type { OpenDatabase } from '#server/foundation/database/open.ts'
import { aDatabase, eachDatabase } from '#testing/database.ts'
import { servedFiles, type ServedFiles } from '#testing/servedFiles.ts'
import { SOME_TIME } from '#testing/servedUsers.ts'
import { picturesOf, requireAttachments } from './attached.ts'
import { aPng } from './pictures/pictures.testing.ts'

const [ANN, BEN] = [1, 2]
const bytesOf = (bytes: Buffer) => new Uint8Array(bytes)
/** Of some hundred bytes, all of which stay. */
const PICTURE = bytesOf(aPng(Array.from({ length: 20 }, () => 'sPLT')))

/** Ann has a picture, a document of three pages of which two are drawn, and a file that nobody has read. */
async function filesOfAnn(open: OpenDatabase) {
  const served = await servedFiles(open)
  const picture = await served.kept('ann', { file: { content: PICTURE, name: 'cat.png' } })
  const plan = await served.kept('ann', {
    file: { content: '%PDF-1.7 …', name: 'plan.pdf' },
    ...{ text: 'one\ftwo\fthree', pages: '3' },
  })
  const unread = await served.kept('ann', { file: { content: '%PDF-1.7 scan', name: 'scan.pdf' } })
  for (const page of [1, 3])
    await served.call(`/api/files/${plan.id}/pages/${page}`, { method: 'PUT', as: 'ann', body: PICTURE })
  /** What somebody's ask with these keeps of them, or why it is refused. */
  const asked = async (attachments: AskAttachment[], { user_id = ANN, settings = {} } = {}) => {
    const caller = { user_id, kind: 'session' as const, id: 's', bounds: null, stillValid: async () => true }
    const configuration = Configuration.parse({ files: settings })
    return requireAttachments(open.database, { caller, attachments }, configuration).catch((error: unknown) => error)
  }
  return { served, picture, plan, unread, asked }
}

/** Sets when a question went with it. */
const usedAt = ({ database }: ServedFiles, id: string, used_time: number) =>
  database.updateTable('uploaded_files').set({ used_time, conversation_id: 'c' }).where('file_id', '=', id).execute()

eachDatabase((_name, open) => {
  describe('what an ask attaches', () => {
    test('is kept in its order, with what is known of it here and not what the client says', async () => {
      const { plan, picture, asked } = await filesOfAnn(await open())
      const lies = { name: '../x.exe', size: 1, width: 9_999, height: 9_999, mime_type: 'text/html' }
      expect(
        await asked([
          { file_id: plan.id, as: 'text', pages: '2-3', ...lies },
          { file_id: picture.id, as: 'picture', detail: 'low', ...lies },
          { file_id: plan.id, as: 'file' },
        ]),
      ).toMatchObject([
        { id: plan.id, name: 'plan.pdf', as: 'text', pages: '2-3', page_count: 3, tokens: plan.tokens },
        { id: picture.id, name: 'cat.png', as: 'picture', detail: 'low', width: 3, height: 3, mimeType: 'image/png' },
        { id: plan.id, name: 'plan.pdf', as: 'file', mimeType: 'application/pdf', size: plan.size },
      ])
    })
    test('of somebody else is not found, like what does not exist, and neither spoils nor helps the others', async () => {
      const { picture, asked } = await filesOfAnn(await open())
      const own = await asked([{ file_id: picture.id, as: 'picture' }])
      expect(own).toHaveLength(1)
      const theirs = await asked([{ file_id: picture.id, as: 'picture' }], { user_id: BEN })
      const none = await asked([{ file_id: crypto.randomUUID(), as: 'picture' }], { user_id: BEN })
      expect(theirs).toMatchObject({ key: 'resourceNotFound', values: {} })
      expect(none).toMatchObject({ key: 'resourceNotFound', values: {} })
      for (const file_id of ['', 'file-1', "' or 1=1 --", '../../etc/passwd'])
        expect(
          await asked([
            { file_id: picture.id, as: 'picture' },
            { file_id, as: 'file' },
          ]),
          file_id,
        ).toMatchObject({
          key: 'resourceNotFound',
        })
    })
    test('that is gone is named: nobody asks about what the model does not see', async () => {
      const { served, picture, asked } = await filesOfAnn(await open())
      await usedAt(served, picture.id, SOME_TIME)
      await served.call(`/api/files/${picture.id}`, { method: 'DELETE', as: 'ann' })
      expect(await asked([{ file_id: picture.id, as: 'picture' }])).toMatchObject({
        ...{ key: 'attachmentGone', values: { name: 'cat.png' } },
      })
    })
    test('goes as text or as pictures only where that was read or drawn, of all its pages', async () => {
      const { plan, picture, unread, asked } = await filesOfAnn(await open())
      const notRead = (name: string) => ({ key: 'attachmentNotRead', values: { name } })
      expect(await asked([{ file_id: unread.id, as: 'text' }])).toMatchObject(notRead('scan.pdf'))
      expect(await asked([{ file_id: unread.id, as: 'picture' }])).toMatchObject(notRead('scan.pdf'))
      expect(await asked([{ file_id: picture.id, as: 'text' }])).toMatchObject(notRead('cat.png'))
      expect(await asked([{ file_id: plan.id, as: 'picture' }])).toMatchObject(notRead('plan.pdf'))
      expect(await asked([{ file_id: plan.id, as: 'picture', pages: '1-2' }])).toMatchObject(notRead('plan.pdf'))
      expect(await asked([{ file_id: plan.id, as: 'picture', pages: '1, 3' }])).toMatchObject([{ pages: '1, 3' }])
      expect(await asked([{ file_id: unread.id, as: 'file' }])).toHaveLength(1)
    })
    test('has the pages that are asked for', async () => {
      const { plan, unread, asked } = await filesOfAnn(await open())
      for (const [file_id, pages] of [
        [plan.id, '4'],
        [plan.id, '9-12'],
        [unread.id, '1'],
      ] as const)
        expect(await asked([{ file_id, as: 'text', pages }]), pages).toMatchObject({
          ...{ key: 'invalidAskRequest', values: { field: 'attachments.pages' } },
        })
    })
    test('is bounded in number and in bytes, pages that are drawn among them', async () => {
      const { plan, picture, asked } = await filesOfAnn(await open())
      const one: AskAttachment = { file_id: picture.id, as: 'picture' }
      const pages: AskAttachment = { file_id: plan.id, as: 'picture', pages: '1, 3' }
      expect(await asked([one, one, one], { settings: { max_attachments: 2 } })).toMatchObject({
        ...{ key: 'tooManyFiles', values: { most: 2 } },
      })
      const bound = { settings: { max_ask_bytes: picture.size * 2 } }
      expect(await asked([pages], bound)).toHaveLength(1)
      expect(await asked([one, pages], bound)).toMatchObject({
        ...{ key: 'attachmentsTooLarge', values: { max_bytes: picture.size * 2 } },
      })
      // A text goes into the words of the question, where its own bound holds.
      expect(await asked([pages, { file_id: plan.id, as: 'text' }], bound)).toHaveLength(2)
    })
    test('is looked at as closely as the portal says, unless the person says otherwise', async () => {
      const { picture, asked } = await filesOfAnn(await open())
      const detail = async (more: Partial<AskAttachment>, picture_detail: 'auto' | 'low' | 'high') => {
        const kept = await asked([{ file_id: picture.id, as: 'picture', ...more }], { settings: { picture_detail } })
        return Array.isArray(kept) ? kept[0]?.detail : kept
      }
      expect(await detail({}, 'auto')).toBe(null)
      expect(await detail({}, 'high')).toBe('high')
      expect(await detail({ detail: 'low' }, 'high')).toBe('low')
      expect(await detail({ detail: 'auto' }, 'high')).toBe('auto')
    })
  })

  describe('pictures of an answer that go with the next question', () => {
    test('are those of the person that are here', async () => {
      const opened = await open()
      const { served, picture, plan } = await filesOfAnn(opened)
      const gone = await served.kept('ann', { file: { content: bytesOf(aPng([], 9)), name: 'gone.png' } })
      await usedAt(served, gone.id, SOME_TIME)
      await served.call(`/api/files/${gone.id}`, { method: 'DELETE', as: 'ann' })
      const ids = [picture.id, plan.id, gone.id, crypto.randomUUID()]
      expect(await picturesOf(opened.database)(ANN, ids)).toMatchObject([{ id: picture.id, as: 'picture' }])
      expect(await picturesOf(opened.database)(BEN, ids)).toEqual([])
      expect(await picturesOf(opened.database)(ANN, [])).toEqual([])
    })
  })

  describe('files that nobody has asked about for long', () => {
    const DAY = 86_400_000
    test('are counted before they expire, and those of somebody who is held stay', async () => {
      const { served, picture, plan } = await filesOfAnn(await open())
      const theirs = await served.kept('ben', { file: { content: PICTURE, name: 'cat.png' } })
      served.configure({ files: { retention_days: 30 } })
      for (const { id } of [picture, plan, theirs]) await usedAt(served, id, SOME_TIME)
      await served.database.updateTable('users').set({ hold_time: SOME_TIME }).where('id', '=', BEN).execute()
      served.clock.time = SOME_TIME + 31 * DAY
      await served.sweep()
      const rows = new Map((await served.rows()).map(row => [row.file_id, row]))
      expect(rows.get(picture.id)).toMatchObject({ gone_reason: 'expired', storage_path: null, content_hash: null })
      expect(rows.get(plan.id)).toMatchObject({ gone_reason: 'expired', text_tokens: null, extra_bytes: 0 })
      expect(rows.get(theirs.id)).toMatchObject({ gone_reason: null })
      expect((await served.call(`/api/files/${theirs.id}/content`, { as: 'ben' })).status).toBe(200)
      const held = await served.call(`/api/files/${theirs.id}`, { method: 'DELETE', as: 'ben' })
      expect(held.envelope.message).toBe('errors.userOnHold')
      // What is gone is not removed a second time, and its owner may keep the same content anew.
      expect(await served.sweep()).toBe(0)
      const again = await served.kept('ann', { file: { content: PICTURE, name: 'cat again.png' } })
      expect([again.id === picture.id, again.gone]).toEqual([false, null])
    })
    test('stay for ever where no time is set', async () => {
      const { served, picture } = await filesOfAnn(await open())
      await usedAt(served, picture.id, SOME_TIME)
      served.configure({ files: { retention_days: null } })
      served.clock.time = SOME_TIME + 9_000 * DAY
      await served.sweep()
      expect((await served.call(`/api/files/${picture.id}/content`, { as: 'ann' })).status).toBe(200)
    })
  })
})

describe('what goes with a question that is asked long after', () => {
  test('is told gone where its bytes are lost, and where a page of it is', async () => {
    const { served, plan } = await filesOfAnn(await aDatabase())
    const pages = { id: plan.id, name: 'plan.pdf', as: 'picture' as const, pages: '1, 3' }
    const numbers = async () =>
      (await served.loadAttached(ANN, [pages])).map(({ parts, gone }) => [
        gone,
        ...parts.map(part => (part.kind === 'picture' ? part.page : part.kind)),
      ])
    expect(await numbers()).toEqual([[null, 1, 3]])
    await served.database.deleteFrom('file_pages').where('page_number', '=', 1).execute()
    expect(await numbers()).toEqual([[null, 3]])
    await served.database.deleteFrom('file_pages').execute()
    expect(await numbers()).toEqual([['deleted']])
  })
})
