import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import type { Envelope } from '#contract/envelope.ts'
import { MAX_FILE_BYTES } from '#contract/files.ts'
import { DEFAULT_LANGUAGE, LANGUAGES } from '#contract/preferences.ts'
import { until } from '#testing/until.ts'
import { answerCalls, aUser, freshDevice, refusal, success } from '#web/foundation/api.testing.ts'
import { useSession } from '#web/foundation/session.ts'
import { useToasts } from '#web/foundation/toasts.ts'
import { changeLanguage, loadTexts } from '#web/i18n/useTranslate.ts'
import { Kit } from '#web/kit/Kit.tsx'
import { aFile, anUploadedFile, UPLOAD_ID } from './builders.testing.ts'
import { acceptOf } from './askFiles.ts'
import { FileButton } from './FileButton.tsx'
import { UploadList } from './UploadList.tsx'
import { takeRequests } from './requests.testing.ts'
import { attachFiles, putBackUploads, settleUploads, uploadsIn, useUploads } from './uploads.ts'

/** A model that gets pictures as parts of a question. */
const SEEING = { takes_pictures: true }

const HERE = 'c'
const START = 'POST /files/openai-web/upload-start'
const RELAY = `POST /files/local/upload-to-openai-web/${UPLOAD_ID}`
const COMPLETE = `POST /files/openai-web/upload-complete/${UPLOAD_ID}`
const DELETE = `DELETE /files/${UPLOAD_ID}`
const LOCAL = 'POST /api/files/local/upload'
const startedBy = (upload_file_info: unknown = null) =>
  success({ strategy: 'browser_upload_when_file_size_exceed', file_max_size: 1000, upload_file_info })

const BY_SERVER = { [START]: startedBy(), [RELAY]: success(anUploadedFile()) }
const startedAt = (upload_url: string) =>
  anUploadedFile({ openai_web_info: { file_id: 'file-a1', use_case: 'my_files', upload_url, download_url: null } })
const sentTo = (address: string) => ({ [START]: startedBy(startedAt(address)), [COMPLETE]: success(anUploadedFile()) })
const BY_BROWSER = sentTo('https://store.example/put')
const BY_PORTAL = sentTo(`${location.origin}/api/files/openai-web/upload/${UPLOAD_ID}`)

async function theUploads(answers: Parameters<typeof answerCalls>[0] = BY_SERVER) {
  const made = answerCalls(answers)
  const requests = takeRequests()
  const attach = (...files: File[]) => attachFiles(HERE, files, SEEING)
  function Page() {
    const uploads = useUploads(all => all[HERE]) ?? []
    return (
      <>
        <UploadList uploads={uploads} isDraggedOver={false} />
        <FileButton
          count={uploads.length}
          accept={acceptOf(SEEING)}
          onFiles={files => attach(...files)}
          onNear={() => undefined}
          onSheet={null}
        />
      </>
    )
  }
  const screen = await render(
    <Kit>
      <Page />
    </Kit>,
  )
  const rows = () =>
    screen
      .getByTestId('file-row')
      .elements()
      .map(row => row.getAttribute('data-phase'))
  return {
    screen,
    made,
    ...requests,
    attach,
    rows,
    phases: (...phases: string[]) => until(() => expect(rows()).toEqual(phases)),
  }
}

beforeAll(() => loadTexts('attachments'))
beforeEach(async () => {
  await page.viewport(900, 700)
  freshDevice()
  useSession.setState({ user: aUser() })
})

describe('a file', () => {
  test('is sent through the server to the upstream, and its row shows the progress', async () => {
    const { screen, made, attach, request, phases } = await theUploads()
    attach(new File(['x'.repeat(2048)], '用电.txt', { type: 'text/plain' }))
    const local = await request(0)
    expect(local.made.name).toBe(LOCAL)
    expect(local.made.body instanceof FormData && local.made.body.get('file')).toMatchObject({
      name: '用电.txt',
      size: 2048,
    })
    local.has(0.5)
    const row = screen.getByRole('listitem')
    await expect.element(row).toMatchTextContent(/用电\.txt.*正在上传，1 kB \/ 2 kB/)
    await expect
      .element(screen.getByRole('progressbar', { name: '用电.txt 的上传进度' }))
      .toHaveAttribute('value', '0.5')
    local.has(1)
    await expect.element(row).toMatchTextContent(/用电\.txt.*已发完，等着存好/)
    local.answer(200, success(anUploadedFile()))
    await phases('ready')
    await expect.element(row).toMatchTextContent(/用电\.txt.*2 kB/)
    expect(made.map(({ call }) => call).slice(-2)).toEqual([START, RELAY])
    expect(made.find(({ call }) => call === START)?.body).toEqual({
      file_name: '用电.txt',
      file_size: 2048,
      use_case: 'my_files',
      mime_type: 'text/plain',
    })
  })

  test('is sent directly to the upstream’s storage where the server says so, with its headers', async () => {
    const { made, attach, request, phases } = await theUploads(BY_BROWSER)
    attach(new File(['abc'], 'a.md'))
    const put = await request(0)
    expect(put.made.name).toBe('PUT https://store.example/put')
    expect(put.headers).toEqual({
      'x-ms-blob-type': 'BlockBlob',
      'x-ms-version': '2020-04-08',
      'content-type': 'application/octet-stream',
    })
    put.answer(201)
    await phases('ready')
    expect(made.at(-1)?.call).toBe(COMPLETE)
  })

  test('that is a picture is sent with its size and as a picture', async () => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 30, height: 20 })
    const blob = await new Promise<Blob | null>(resolve => {
      canvas.toBlob(resolve)
    })
    const { made, attach, request } = await theUploads()
    attach(new File([blob ?? ''], 'image.png', { type: 'image/png' }))
    await request(0)
    expect(made.find(({ call }) => call === START)?.body).toMatchObject({
      use_case: 'multimodal',
      width: 30,
      height: 20,
      mime_type: 'image/png',
    })
  })

  test('waits while two others are being uploaded', async () => {
    const { attach, request, phases, all } = await theUploads()
    attach(new File(['1'], '1.txt'), new File(['2'], '2.txt'), new File(['3'], '3.txt'))
    await phases('uploading', 'uploading', 'waiting')
    ;(await request(1)).answer(200, success(anUploadedFile()))
    await phases('uploading', 'ready', 'uploading')
    await request(2)
    expect(all).toHaveLength(3)
  })
})

describe('an upload that fails', () => {
  test('gives the reason of the refusal, and can be tried again', async () => {
    const { screen, made, attach, phases } = await theUploads({ [START]: refusal('uploadingNotAllowed') })
    const tries = () => made.filter(({ call }) => call === START).length
    attach(new File(['abc'], 'a.txt'))
    await phases('failed')
    await expect.element(screen.getByRole('alert')).toHaveTextContent('不允许上传文件')
    expect(tries()).toBe(1)
    await screen.getByRole('button', { name: '再传一次 a.txt' }).click()
    await until(() => expect(tries()).toBe(2))
    await phases('failed')
  })

  test.each([
    ['the line breaks', 'fail', BY_PORTAL, '没有连上服务器，检查网络后再试'],
    ['the storage does not answer', 'fail', BY_BROWSER, '存放文件的地方没有收下，请再传一次'],
    ['the storage does not take it', 'refuse', BY_BROWSER, '存放文件的地方没有收下，请再传一次'],
  ] as const)('because %s can be tried again, and then succeeds', async (_, how, way, reason) => {
    const { screen, attach, request, phases } = await theUploads(way)
    attach(new File(['abc'], 'a.txt'))
    const put = await request(0)
    if (how === 'fail') put.fail()
    else put.answer(403)
    await phases('failed')
    await expect.element(screen.getByRole('alert')).toHaveTextContent(reason)
    await screen.getByRole('button', { name: '再传一次 a.txt' }).click()
    ;(await request(1)).answer(201)
    await phases('ready')
  })

  test.each([BY_PORTAL, BY_SERVER])('because it is too large for a proxy before the portal says so', async way => {
    const { screen, attach, request, phases } = await theUploads(way)
    attach(new File(['abc'], 'a.txt'))
    ;(await request(0)).answer(413)
    await phases('failed')
    await expect.element(screen.getByRole('alert')).toMatchTextContent(/服务器前面的代理不接收这么大的内容/)
  })

  test('because the portal on the way refuses it gives the reason', async () => {
    const upload_url = `${location.origin}/api/files/openai-web/upload/${UPLOAD_ID}`
    const info = { file_id: 'file-a1', use_case: 'my_files', upload_url, download_url: null } as const
    const { screen, attach, request, phases } = await theUploads({
      ...BY_BROWSER,
      [START]: startedBy(anUploadedFile({ openai_web_info: info })),
    })
    attach(new File(['abc'], 'a.txt'))
    const put = await request(0)
    put.answer(400, refusal('fileSizeDiffers', { values: { announced: 3, arrived: 4 } }))
    await phases('failed')
    await expect
      .element(screen.getByRole('alert'))
      .toHaveTextContent('开始上传时说文件有 3 字节，收到的是 4 字节，请再传一次')
  })

  test('because the upstream did not get it is not ready', async () => {
    const { attach, request, phases } = await theUploads({
      ...BY_SERVER,
      [RELAY]: success(anUploadedFile({ openai_web_info: null })),
    })
    attach(new File(['abc'], 'a.txt'))
    ;(await request(0)).answer(200, success(anUploadedFile({ openai_web_info: null })))
    await phases('failed')
  })
})

describe('files that are refused', () => {
  test('give the reason: too large, or not read by the model; they can only be removed', async () => {
    const { screen, attach, phases, all } = await theUploads()
    attach(aFile('全家照片.pdf', MAX_FILE_BYTES + 1), aFile('a.zip'))
    await phases('refused', 'refused')
    await expect.element(screen.getByRole('listitem').first()).toMatchTextContent(/文件太大，最大 512 MB/)
    await expect.element(screen.getByRole('listitem').last()).toMatchTextContent(/这个模型不读这种文件/)
    expect(screen.getByRole('button', { name: /再传/ }).elements()).toEqual([])
    expect(all).toEqual([])
  })

  test('because there are too many are counted in one toast', async () => {
    const { attach, rows } = await theUploads()
    attach(...Array.from({ length: 12 }, (_, at) => aFile(`${at}.txt`)))
    await until(() => expect(rows()).toHaveLength(10))
    attach(...Array.from({ length: 2 }, (_, at) => aFile(`${at}.png`)))
    expect(useToasts.getState().toasts.map(({ text }) => text)).toEqual(['一个问题最多附 10 个文件，多出 2 个'])
  })

  test('because of too many pictures are counted as pictures', async () => {
    const { attach, rows } = await theUploads()
    attach(...Array.from({ length: 6 }, (_, at) => aFile(`${at}.zip.png`)))
    await until(() => expect(rows()).toHaveLength(4))
    expect(useToasts.getState().toasts.map(({ text }) => text)).toEqual(['一个问题最多附 4 张图片，多出 2 张'])
  })
})

describe('a file that is removed', () => {
  test('has its upload cancelled', async () => {
    const { screen, attach, request } = await theUploads()
    attach(new File(['abc'], 'a.txt'))
    const local = await request(0)
    await screen.getByRole('button', { name: '取消上传 a.txt' }).click()
    await expect.element(screen.getByRole('list')).not.toBeInTheDocument()
    expect(local.aborted).toBe(true)
  })

  test('is told to the server before the next one begins', async () => {
    const forgotten = Promise.withResolvers<Envelope>()
    const { made, screen, attach, request, phases } = await theUploads({
      ...BY_BROWSER,
      [DELETE]: () => forgotten.promise,
    })
    attach(new File(['1'], '1.txt'), new File(['2'], '2.txt'), new File(['3'], '3.txt'))
    await request(1)
    await screen.getByRole('button', { name: '取消上传 1.txt' }).click()
    await phases('uploading', 'waiting')
    expect(made.map(({ call }) => call)).toEqual([START, START, DELETE])
    forgotten.resolve(success(null))
    await phases('uploading', 'uploading')
    await request(2)
  })

  test('passes the focus to the next one, and the last to the attach button', async () => {
    const { screen, attach, phases } = await theUploads()
    attach(aFile('a.zip'), aFile('b.zip'))
    await phases('refused', 'refused')
    screen.getByRole('button', { name: '移除 a.zip' }).element().focus()
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByRole('button', { name: '移除 b.zip' })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    await expect.element(screen.getByRole('button', { name: '添加文件' })).toHaveFocus()
  })

  test('is removed when its user signs out', async () => {
    const { attach, request } = await theUploads()
    attach(new File(['abc'], 'a.txt'))
    const local = await request(0)
    useSession.setState({ user: null })
    expect([local.aborted, uploadsIn(HERE)]).toEqual([true, []])
  })
})

describe('the files of a question', () => {
  const attachment = { name: 'a.csv', id: 'file-a1', size: 3, mimeType: 'text/csv', height: null, width: null }

  test('leave when it is accepted; others move to the conversation’s new id', async () => {
    const { attach, phases } = await theUploads()
    putBackUploads(HERE, [attachment])
    attach(aFile('a.zip'))
    await phases('ready', 'refused')
    settleUploads(HERE, 'other', [attachment])
    expect([uploadsIn(HERE), uploadsIn('other').map(({ name }) => name)]).toEqual([[], ['a.zip']])
  })
})

describe('the file dialog', () => {
  test('accepts the types that the model reads, and several files', async () => {
    const { screen, phases } = await theUploads()
    const input = screen.getByTestId('attach-input')
    expect(input.element().getAttribute('accept')).toContain('.pdf')
    await input.upload([new File(['1'], '1.txt'), new File(['2'], '2.md')])
    await phases('uploading', 'uploading')
    await expect.element(screen.getByRole('button', { name: '添加文件，已有 2 个' })).toBeVisible()
  })

  test.each(LANGUAGES)('and every row have labels in %s', async language => {
    await changeLanguage(language)
    const { screen, attach, phases } = await theUploads({ [START]: refusal('uploadingNotAllowed') })
    attach(aFile('a.txt'), aFile('b.zip'))
    await phases('failed', 'refused')
    const names = [...screen.container.querySelectorAll('button, input, ul')].map(
      element => element.getAttribute('aria-label') ?? '',
    )
    expect(names.every(name => name !== '' && !name.includes('files.'))).toBe(true)
    expect(names.some(name => /\p{Script=Han}/u.test(name))).toBe(language === 'zh-CN')
    await changeLanguage(DEFAULT_LANGUAGE)
  })
})
