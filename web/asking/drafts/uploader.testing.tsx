import { expect } from 'vitest'
import type { Attachment, Message } from '#contract/messages.ts'
import { words } from '#testing/messages.ts'
import { until } from '#testing/until.ts'
import { anUploadedFile, UPLOAD_ID } from '#web/files/builders.testing.ts'
import { takeRequests } from '#web/files/requests.testing.ts'
import { success } from '#web/foundation/api.testing.ts'
import { aHistory, aMessage } from '../builders.testing.ts'
import { aRecord, ID, modelOf, openTestPortal, userWith, PORTAL, withId } from '../portal.testing.tsx'

export const OTHER = '11111111-2222-4333-8444-555555555555'

const MODELS = ['gpt_4', 'gpt_4_code_interpreter', 'gpt_3_5']
export const UPLOADER = userWith({
  openai_web: { allow_to_use: true, available_models: MODELS },
  openai_api: { allow_to_use: false },
})
export const stored = (id: string, ...messages: Message[]) => ({
  ...withId(aHistory(...messages), id),
  source: 'openai_web',
})
export const aQuestion = (fields: Partial<Message> = {}) =>
  aMessage({ id: 'q1', role: 'user', source: 'openai_web', ...fields })
const ANSWERS = {
  'GET /status/portal': {
    ...PORTAL,
    models: MODELS.map(code => ({
      ...modelOf('openai_web', code),
      takes_pictures: code === 'gpt_4',
      takes_files: code !== 'gpt_3_5',
    })),
  },
  'GET /user/me': UPLOADER,
  'GET /conv': [aRecord(ID, '这个'), aRecord(OTHER, '那个')].map(record => ({ ...record, source: 'openai_web' })),
  [`GET /conv/${ID}`]: stored(ID, aQuestion({ id: 'q1', content: words('在吗') })),
  [`GET /conv/${OTHER}`]: stored(OTHER, aQuestion({ id: 'q2', content: words('在吗') })),
  'POST /files/openai-web/upload-start': {
    strategy: 'server_upload_only',
    file_max_size: 1000,
    upload_file_info: null,
  },
  [`POST /files/local/upload-to-openai-web/${UPLOAD_ID}`]: anUploadedFile({
    content_type: 'image/png',
    extra_info: { width: 30, height: 20 },
  }),
}
export const ATTACHMENT: Attachment = {
  name: 'a.csv',
  id: 'file-a1',
  size: 3,
  mimeType: 'image/png',
  height: 20,
  width: 30,
}

const picture = () => new File(['abc'], 'a.png', { type: 'image/png' })

/** The page of somebody who may upload, as openTestPortal gives it, with the uploads that it begins. */
export async function openUploader(address = '/conversation', answers: Record<string, unknown> = {}) {
  const requests = takeRequests()
  const portal = await openTestPortal({ ...ANSWERS, ...answers }, address, UPLOADER)
  await expect.element(portal.screen.getByTestId('attach')).toBeVisible()
  const composer = portal.screen.getByTestId('composer')
  const rows = (...phases: string[]) =>
    until(() => {
      expect(
        portal.screen
          .getByTestId('file-row')
          .elements()
          .map(row => row.getAttribute('data-phase')),
      ).toEqual(phases)
    })
  const uploaded = async (at = 0) => (await requests.request(at)).answer(200, success(anUploadedFile()))
  return { ...portal, ...requests, composer, rows, uploaded }
}

export function addBy(type: 'drop' | 'paste' | 'dragover' | 'dragleave', target: Element, file = picture()): Event {
  const given = new DataTransfer()
  given.items.add(file)
  const about = { bubbles: true, cancelable: true }
  const event =
    type === 'paste'
      ? new ClipboardEvent(type, { ...about, clipboardData: given })
      : new DragEvent(type, { ...about, dataTransfer: given })
  target.dispatchEvent(event)
  return event
}
