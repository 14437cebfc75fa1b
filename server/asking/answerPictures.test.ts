import { createServer, type RequestListener } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { textOf } from '#contract/messages.ts'
import { openOutbound } from '#server/foundation/outbound/outbound.ts'
import type { ProviderUpstream } from '#server/providers/provider.ts'
import { painting } from '#simulator/answers/pictures.ts'
import { aMessage, words } from '#testing/messages.ts'
import { openAnswerPictures, picturesIn } from './answerPictures.ts'

const PNG = painting(1, 'dawn')
const DATA = `data:image/png;base64,${PNG.toString('base64')}`
const ID = '0b6f6c0e-5a53-4e63-8c3e-0d1f6b1f2a11'
const HERE = `/api/files/${ID}/content`

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close().closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}` // a listening server has one
}

type AskedPictures = {
  links?: string[]
  base_url?: string
  isFull?: boolean
  addresses?: ProviderUpstream['addresses']
}

/** What becomes of an answer, and what was stored. */
async function kept(
  text: string,
  { links = [], base_url = 'https://endpoint.example/v1/', isFull, addresses = 'any' }: AskedPictures = {},
) {
  const stored: { name: string; bytes: Buffer }[] = []
  const outbound = openOutbound()
  onTestFinished(() => outbound.close())
  const keep = openAnswerPictures({
    outbound,
    log: pino({ level: 'silent' }),
    keepPicture: async (_user_id, { name, bytes }) => {
      if (isFull === true) throw new Error('no room')
      stored.push({ name, bytes })
      return ID
    },
  })
  const upstream = { base_url, proxy: null, addresses } as ProviderUpstream // all that is looked at
  const [message] = await keep([aMessage({ role: 'assistant', content: words(text) })], {
    ...{ user_id: 1, conversation_id: 'c', links: new Set(links), upstream },
  })
  return { text: textOf(message!), stored }
}

describe('a picture in an answer', () => {
  test('that came as data is stored as a file, and shown from there', async () => {
    const { text, stored } = await kept(`Here:\n\n![hills](${DATA})\n\nand ![](<${DATA}> "again").`)
    expect(text).toBe(`Here:\n\n![hills](${HERE})\n\nand ![](<${HERE}> "again").`)
    expect(stored).toEqual([{ name: 'picture.png', bytes: PNG }])
  })

  test('in code stays, as does what is no picture and what there is no room for', async () => {
    const code = `\`\`\`html\n![](${DATA})\n\`\`\``
    expect(await kept(code)).toEqual({ text: code, stored: [] })
    const other = `![](data:image/png;base64,${Buffer.from('<svg onload=alert(1)>'.repeat(9)).toString('base64')})`
    expect(await kept(other)).toEqual({ text: other, stored: [] })
    const picture = `![](${DATA})`
    expect(await kept(picture, { isFull: true })).toEqual({ text: picture, stored: [] })
  })

  test('that the endpoint links to is fetched while it is there', async () => {
    const base_url = await serve((_request, response) => response.end(PNG))
    const link = `${base_url}/pictures/1.png?signature=a`
    expect(await kept(`![](${link})`, { base_url: `${base_url}/v1/`, links: [link] })).toMatchObject({
      ...{ text: `![](${HERE})`, stored: [{ bytes: PNG }] },
    })
  })

  test('that the model itself links to is not fetched: its address could tell what it has read', async () => {
    let asked = 0
    const base_url = await serve((_request, response) => {
      asked += 1
      response.end(PNG)
    })
    const text = `![](${base_url}/?secret=what-the-document-says)`
    expect(await kept(text, { base_url })).toEqual({ text, stored: [] })
    expect(asked).toBe(0)
  })

  test.each([
    ['an internal address', 'http://169.254.169.254/latest/meta-data/'],
    ['another port of this machine', 'http://127.0.0.1:9/a.png'],
    ['a name of this machine', 'https://localhost/a.png'],
  ])('is not fetched from %s, and its link stays', async (_name, link) => {
    expect(await kept(`![](${link})`, { links: [link] })).toEqual({ text: `![](${link})`, stored: [] })
  })

  test('is not fetched from an address that its person may not ask', async () => {
    const base_url = await serve((_request, response) => response.end(PNG))
    const link = `${base_url}/a.png`
    const addresses = { public_only: true, except: [] } as const
    expect((await kept(`![](${link})`, { base_url, links: [link], addresses })).stored).toEqual([])
  })

  test.each<[string, RequestListener]>([
    ['leads elsewhere', (_request, response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()],
    ['is gone', (_request, response) => response.writeHead(404).end('gone')],
    ['is a page', (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end('<html>')],
    [
      'is endless',
      (_request, response) => {
        const piece = Buffer.alloc(1 << 20)
        response.on('drain', () => response.write(piece))
        response.write(Buffer.concat([PNG, piece]))
      },
    ],
  ])('keeps its link where that %s', async (_name, answer) => {
    const base_url = await serve(answer)
    const link = `${base_url}/a.png`
    expect(await kept(`![](${link})`, { base_url, links: [link] })).toEqual({ text: `![](${link})`, stored: [] })
  })
})

test('the addresses of pictures are found in long texts at once', () => {
  const long = `data:image/png;base64,${'A'.repeat(8_000_000)}`
  const text = `![](${long}) ${'![]('.repeat(10_000)}`
  expect(picturesIn(text)).toEqual([{ start: 4, end: 4 + long.length }])
})
