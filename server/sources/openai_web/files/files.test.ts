import { createHash, randomBytes } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import { once } from 'node:events'
import { describe, expect, test } from 'vitest'
import type { ConversationHistory } from '#contract/conversations.ts'
import { Envelope } from '#contract/envelope.ts'
import { startUpload, type UploadedFile, UploadedFile as UploadedFileSchema } from '#contract/files.ts'
import { listFiles, type OwnFile } from '#contract/ownFiles.ts'
import { WEB_TOKEN } from '#simulator/openaiWeb/state/web.ts'
import { startSimulator } from '#simulator/simulator.ts'
import { eachStorage, type NewStorage } from '#testing/database.ts'
import { type Frame, type Person, question } from '#testing/person.ts'
import { type Portal, startPortal } from '#testing/portal.ts'
import { until } from '#testing/until.ts'

const START = '/files/openai-web/upload-start'
/** Why an administrator opens what somebody else asked. */
const WHY = { reason: 'asked', text: 'you asked me to look' }
const TEN = { file_name: 'plan.pdf', file_size: 10, use_case: 'my_files' }

/** A portal whose web account is at the simulator. */
async function webPortal(storage: NewStorage) {
  const simulator = await startSimulator({ tokens_per_second: 0 })
  const portal = await startPortal({
    storage: await storage(),
    simulator,
    environment: {
      COMMONS_OPENAI_WEB_ENABLED: 'true',
      COMMONS_OPENAI_WEB_CHATGPT_BASE_URL: simulator.webUrl,
      COMMONS_CREDENTIALS_OPENAI_WEB_ACCESS_TOKEN: WEB_TOKEN,
      COMMONS_OPENAI_WEB_ENABLED_MODELS: '["gpt_3_5","gpt_4","gpt_4_code_interpreter","gpt_4_dalle"]',
    },
  })
  return { ...portal, lin: await portal.person(), mei: await portal.person() }
}

async function started(person: Person, start: object = TEN): Promise<UploadedFile> {
  const { upload_file_info } = startUpload.result.parse(await person.result('POST', START, start))
  return UploadedFileSchema.parse(upload_file_info)
}

/** Sends the content as a page of the portal does. */
function put(person: Person, file: UploadedFile, body: BodyInit) {
  const address = file.openai_web_info?.upload_url ?? ''
  const headers = { cookie: person.cookie, origin: new URL(address).origin, 'content-type': 'application/pdf' }
  const sent = { method: 'PUT', body, headers, duplex: 'half' }
  return fetch(address, sent)
}

/** Of which nobody is told the length beforehand. */
const inChunks = (text: string): ReadableStream => new Blob([text]).stream()

async function uploaded(person: Person, start: object = TEN): Promise<UploadedFile> {
  const file = await started(person, start)
  expect((await put(person, file, '0123456789')).status).toBe(201)
  return person.result('POST', `/files/openai-web/upload-complete/${file.id}`)
}

const webId = (file: UploadedFile): string => file.openai_web_info?.file_id ?? ''

const asked = (person: Person, file: UploadedFile, text = 'what is it?') =>
  person.ask(text, {
    source: 'openai_web',
    new_title: 'plans',
    openai_web_attachments: [{ name: file.original_filename, id: webId(file), size: file.size }],
  })

const ownFiles = async (person: Person): Promise<OwnFile[]> =>
  listFiles.result.parse(await person.result('GET', '/files')).files

async function content({ url }: Portal, person: Person, web_file_id: string) {
  const response = await fetch(`${url}/api/files/${web_file_id}/content`, { headers: { cookie: person.cookie } })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

eachStorage((_name, storage) => {
  describe('a file of the web source', () => {
    test.each([
      ['hyphen', /^file-\w+$/],
      ['underscore', /^file_0{8}\w+$/],
    ] as const)(
      'whose id has a %s goes through the portal to the account, is asked about, read by its owner, and goes with its conversation',
      async (file_ids, ids) => {
        const portal = await webPortal(storage)
        const { lin, mei, simulator, admin } = portal
        simulator.web.file_ids = file_ids
        const file = await uploaded(lin)
        expect(Buffer.from(simulator.web.fileOf(webId(file))?.content() ?? []).toString()).toBe('0123456789')
        const stored = simulator.journal.filter(({ path }) => path.startsWith('/storage/'))
        expect(stored.map(({ authorization, web }) => [authorization, web?.headers['content-type']])).toEqual([
          ['', 'application/pdf'],
        ])
        expect(JSON.stringify(stored.map(({ web }) => web?.headers))).not.toContain(WEB_TOKEN)
        expect(webId(file)).toMatch(ids)

        expect((await asked(mei, file)).at(-1)).not.toMatchObject({ outcome: 'finished' })
        expect((await asked(lin, file)).at(-1)).toMatchObject({ outcome: 'finished' })
        const [{ conversation = null } = {}] = await ownFiles(lin)
        expect(conversation).toMatchObject({ title: 'plans' })
        expect(await ownFiles(mei)).toEqual([])

        const read = await content(portal, lin, webId(file))
        expect([read.status, read.text]).toEqual([200, '0123456789'])
        expect(Object.fromEntries(read.headers)).toMatchObject({
          'content-type': 'application/octet-stream',
          'content-disposition': expect.stringMatching(/^attachment; filename="plan.pdf"/),
          'content-security-policy': "sandbox; default-src 'none'",
          'x-content-type-options': 'nosniff',
          'cache-control': 'private, max-age=3600',
        })
        expect((await content(portal, admin, webId(file))).status).toBe(403)
        await admin.result('POST', `/conv/${conversation?.id ?? ''}/oversight`, WHY)
        expect((await content(portal, admin, webId(file))).status).toBe(200)
        expect((await content(portal, mei, webId(file))).status).toBe(404)
        expect((await mei.call('DELETE', `/files/${file.id}`)).message).toBe('errors.resourceNotFound')

        const { id = '' } = conversation ?? {}
        await admin.call('DELETE', `/conv/${id}/vanish`)
        await until(async () => expect(await ownFiles(lin)).toEqual([]))
        expect((await content(portal, lin, webId(file))).status).toBe(404)
      },
    )

    test('of many parts arrives as it was sent', async () => {
      const { lin, simulator } = await webPortal(storage)
      const body = randomBytes(9_000_001)
      const file = await started(lin, { ...TEN, file_size: body.length })
      expect((await put(lin, file, body)).status).toBe(201)
      expect(simulator.web.fileOf(webId(file))?.md5).toBe(createHash('md5').update(body).digest('base64'))
    })

    test('is left to nobody when the storage host or the browser does not send it whole', async () => {
      const { lin, simulator, url } = await webPortal(storage)
      const file = await started(lin)
      for (const fault of [
        { kind: 'redirect', location: `${url}/` },
        { kind: 'page', status: 403 },
      ] as const) {
        simulator.web.nextFault('storage', fault)
        const refused = await put(lin, file, '0123456789')
        expect([refused.status, await refused.json()]).toMatchObject([502, { message: 'errors.storageRefused' }])
      }
      for (const [body, arrived] of [
        ['012345678', 9],
        ['0123456789x', 11],
        [inChunks('012345678'), 9],
        [inChunks('0123456789x'), null], // what is too much is not counted
      ] as const) {
        const refused = await put(lin, file, body)
        const { message, values } = Envelope.parse(await refused.json())
        expect([refused.status, message]).toEqual([400, 'errors.fileSizeDiffers'])
        expect(values).toEqual(arrived === null ? { announced: 10 } : { announced: 10, arrived })
      }
      await cut(new URL(file.openai_web_info?.upload_url ?? ''), lin.cookie)
      const sent = simulator.web.fileOf(webId(file))
      await until(() => expect(simulator.journal.some(({ ended }) => ended === 'open')).toBe(false))
      expect([sent?.received, sent?.state]).toEqual([0, 'announced'])
      expect(await lin.call('POST', `/files/openai-web/upload-complete/${file.id}`)).toMatchObject({
        code: -1,
        message: 'errors.fileContentMissing',
      })
      expect((await put(lin, file, '0123456789')).status).toBe(201)
      expect((await lin.call('POST', START, { ...TEN, file_size: 0 })).message).toBe('errors.fileEmpty')
      for (const file_size of [-1, 0.5, 4_294_967_296])
        expect((await lin.call('POST', START, { ...TEN, file_size })).code).toBe(422)
    })

    test('is sent no further when it is removed, and leaves its place to the next', async () => {
      const { lin, simulator } = await webPortal(storage)
      const files = [await started(lin), await started(lin), await started(lin)] as const
      simulator.web.nextFault('storage', { kind: 'silence' }, 2)
      const waiting = files.slice(0, 2).map(file => put(lin, file, '0123456789'))
      await until(() => expect(simulator.journal.filter(({ path }) => path.startsWith('/storage/'))).toHaveLength(2))
      expect((await put(lin, files[2], '0123456789')).status).toBe(429)
      for (const { id } of files.slice(0, 2)) await lin.result('DELETE', `/files/${id}`)
      expect((await put(lin, files[2], '0123456789')).status).toBe(201)
      expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([404, 404])
    })

    test('may not be sent by whoever may not upload, nor to a conversation of somebody else', async () => {
      const { lin, mei, admin } = await webPortal(storage)
      const file = await started(lin)
      const [{ conversation_id = '' } = {}] = (await mei.ask('mine', { source: 'openai_web', new_title: 'hers' })) as {
        conversation_id?: string
      }[]
      for (const id of [conversation_id, crypto.randomUUID()])
        expect((await lin.call('POST', `${START}?conversation_id=${id}`, TEN)).message).toBe(
          'errors.conversationNotFound',
        )
      await admin.result('PATCH', `/user/${lin.id}/setting`, { openai_web: { disable_uploading: true } })
      for (const [path, body] of [
        [START, TEN],
        [`/files/openai-web/upload-complete/${file.id}`, undefined],
      ] as const)
        expect((await lin.call('POST', path, body)).message).toBe('errors.uploadingNotAllowed')
      expect((await put(lin, file, '0123456789')).status).toBe(400)
    })

    test('stays while an answer works with it, and is removed after a day when none did', async () => {
      const { lin, simulator, app } = await webPortal(storage)
      const [file, unused] = [await uploaded(lin), await uploaded(lin)]
      const chat = await lin.chat(
        question('wait\n/simulate echo pace=1', {
          source: 'openai_web',
          new_title: 'plans',
          openai_web_attachments: [{ name: 'plan.pdf', id: webId(file) }],
        }),
      )
      await chat.until(({ type }) => type === 'accepted')
      expect((await lin.call('DELETE', `/files/${file.id}`)).message).toBe('errors.fileInUse')
      chat.send({ stop: true })
      await chat.closed
      await until(async () => expect((await lin.call('DELETE', `/files/${file.id}`)).code).toBe(200))
      await app.services.open.database
        .updateTable('uploaded_files')
        .set({ upload_time: Date.now() - 86_400_001 })
        .execute()
      expect(await app.services.files.sweep()).toBe(1)
      expect(await ownFiles(lin)).toEqual([])
      expect((await lin.call('POST', `/files/openai-web/upload-complete/${unused.id}`)).code).toBe(404)
      expect(simulator.web.fileOf(webId(unused))?.state).toBe('complete') // there is no call to remove it
    })
  })

  describe('a picture that a model has made', () => {
    test('is seen by whoever owns its conversation and by superusers, shown in place, and by nobody else', async () => {
      const portal = await webPortal(storage)
      const { lin, mei, admin, simulator } = portal
      const frames = await lin.ask('paint', { source: 'openai_web', model: 'gpt_4_dalle', new_title: 'art' })
      const id = String(frames[0]?.['conversation_id'])
      const { mapping } = await lin.result<ConversationHistory>('GET', `/conv/${id}`)
      const [, picture = ''] = /file-service:\/\/(file-\w+)/.exec(JSON.stringify(mapping)) ?? []
      const seen = await content(portal, lin, picture)
      expect([seen.status, seen.headers.get('content-type'), seen.headers.get('content-disposition')]).toEqual([
        200,
        'image/png',
        'inline',
      ])
      expect((await content(portal, admin, picture)).status).toBe(403)
      await admin.result('POST', `/conv/${id}/oversight`, WHY)
      expect((await content(portal, admin, picture)).status).toBe(200)
      expect((await content(portal, mei, picture)).status).toBe(404)
      expect(await lin.result<string>('GET', `/files/${picture}/download-url`)).toContain(simulator.storageUrl)
      expect((await mei.call('GET', `/files/${picture}/download-url`)).message).toBe('errors.resourceNotFound')
      // What somebody writes, or imports, gives nobody a file.
      await mei.ask(picture, { source: 'openai_web', new_title: 'hers' })
      expect((await content(portal, mei, picture)).status).toBe(404)
      // Of an answer that still grows.
      const painting = question('paint\n/simulate fault=stall after=60', { source: 'openai_web', model: 'gpt_4_dalle' })
      const grows = await lin.chat({ ...painting, new_title: 'more' })
      const isPainted = (frame: Frame) => /file-service/.test(JSON.stringify(frame))
      const [, early = ''] = /file-service:\/\/(file-\w+)/.exec(JSON.stringify(await grows.until(isPainted))) ?? []
      // At once: old clients ask for it once.
      expect((await content(portal, lin, early)).status).toBe(200)
      expect((await content(portal, mei, early)).status).toBe(404)
      grows.send({ stop: true })
      await grows.closed
      expect((await content(portal, lin, early)).status).toBe(200)
      // It goes with the conversation, at once.
      await admin.result('PATCH', `/conv/${id}/assign/${mei.id}`)
      expect((await content(portal, lin, picture)).status).toBe(404)
      expect((await content(portal, mei, picture)).status).toBe(200)
      await mei.result('DELETE', `/conv/${id}`)
      expect((await content(portal, mei, picture)).status).toBe(404)
      expect((await content(portal, admin, picture)).status).toBe(200)
    })
  })
})

/** Begins to send ten bytes, and goes after half of them. */
async function cut({ host, port, pathname, origin }: URL, cookie: string): Promise<void> {
  const sending = httpRequest({
    host: '127.0.0.1',
    port,
    path: pathname,
    method: 'PUT',
    headers: { host, origin, cookie, 'content-length': 10 },
  })
  sending.on('error', () => {})
  sending.write('01234')
  await once(sending, 'socket')
  await new Promise(resolve => sending.write('', resolve))
  sending.destroy()
}
