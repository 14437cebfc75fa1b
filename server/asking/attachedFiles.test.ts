import { describe, expect, test } from 'vitest'
import type { AskRequest } from '#contract/asking.ts'
import type { Provider } from '#server/providers/provider.ts'
import { anAnswer } from '#testing/asks.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { type Person, question } from '#testing/person.ts'
import { startPortal } from '#testing/portal.ts'

const ENVIRONMENT = {
  COMMONS_OPENAI_WEB_ENABLED: 'true',
  COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: 'http://web.example.org/',
}
const openai_web: Provider = {
  async reply(_ask, emit) {
    emit({
      type: 'message',
      message: { ...anAnswer('a1', ''), source: 'openai_web', content: { content_type: 'text', parts: ['a plan'] } },
    })
  },
}

/** Lin has completed one file and begun another, and Mei has none. */
async function filesOfLin(storage: NewStorage) {
  const portal = await startPortal({ storage: await storage(), environment: ENVIRONMENT, providers: { openai_web } })
  const [lin, mei] = [await portal.person(), await portal.person()]
  for (const [web_file_id, download_url] of [
    ['file-done', 'https://storage.example/done'],
    ['file-begun', null],
  ] as const) {
    await portal.app.services.open.database
      .insertInto('uploaded_files')
      .values({
        file_id: crypto.randomUUID(),
        uploader_id: lin.id,
        original_filename: 'plan.png',
        size: 5,
        content_type: 'image/png',
        upload_time: 0,
        web_file_id,
        use_case: 'multimodal',
        upload_url: download_url === null ? 'https://storage.example/begun' : null,
        download_url,
      })
      .execute()
  }
  return { ...portal, lin, mei }
}

const attached = (...ids: string[]): Partial<AskRequest> => ({
  openai_web_attachments: ids.map(id => ({ name: 'plan.png', id })),
})
const shown = (asset_pointer: string): Partial<AskRequest> => ({
  openai_web_multimodal_image_parts: [{ asset_pointer }],
})

async function endOf(person: Person, more: Partial<AskRequest>): Promise<unknown> {
  const chat = await person.chat(
    question('what is it?', { source: 'openai_web', model: 'gpt_4', new_title: 'files', ...more }),
  )
  const { reason } = await chat.closed
  return reason
}

eachStorage((_name, storage) => {
  describe('the files of an ask', () => {
    test('are completed ones of whoever asks; others are as unknown as those that do not exist', async () => {
      const { lin, mei, simulator, admin } = await filesOfLin(storage)
      for (const more of [
        attached('file-begun'),
        attached('file-else'),
        attached('file-done', 'file-else'),
        attached('file-x\0'),
        attached('../file-done'),
        shown('file-service://file-begun'),
        shown('file-done'),
        shown('https://evil.example/file-done'),
        { ...attached('file-done'), ...shown('file-service://file-else') },
      ])
        expect(await endOf(lin, more), JSON.stringify(more)).toBe('errors.resourceNotFound')
      for (const more of [attached('file-done'), shown('file-service://file-done')]) {
        expect(await endOf(mei, more)).toBe('errors.resourceNotFound')
        expect(await endOf(admin, more)).toBe('errors.resourceNotFound')
      }
      expect([await lin.result('GET', '/conv'), await mei.result('GET', '/conv'), simulator.journal]).toEqual([
        [],
        [],
        [],
      ])
      for (const more of [
        attached('file-done'),
        shown('file-service://file-done'),
        { ...attached('file-done', 'file-done'), ...shown('file-service://file-done') },
      ]) {
        expect(await endOf(lin, more)).toBe('tips.finished')
      }
    })
    test('need a model that reads them, and somebody who may upload', async () => {
      const { lin, admin } = await filesOfLin(storage)
      expect(await endOf(lin, { ...attached('file-done'), model: 'gpt_3_5' })).toBe('errors.uploadingNotAllowed')
      await admin.result('PUT', '/system/config', { openai_web: { disable_uploading: true } })
      expect(await endOf(lin, attached('file-done'))).toBe('errors.uploadingNotAllowed')
    })
    test('go to web accounts alone: others are not sent what they cannot have', async () => {
      const { lin, mei, simulator } = await filesOfLin(storage)
      const api = { ...attached('file-done'), source: 'openai_api' } as const
      expect(await endOf(lin, api)).toBe('errors.fileOfOtherAccount')
      expect(await endOf(mei, api)).toBe('errors.resourceNotFound')
      expect(simulator.journal).toEqual([])
    })
  })
})
