import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { deflateSync, crc32 } from 'node:zlib'
import { WebSocket } from 'ws'
import { CHAT_PATH, DELTA_PROTOCOL } from '#contract/asking.ts'
import { startSimulator } from '../child.ts'
import { median, megabytes, printGoal, printTable, rotated, threeDigits } from '../figures.ts'
import { type Product, startProduct } from '../product.ts'

/** Pictures of a question, and bytes of each. */
const PICTURES = 4
const PICTURE_BYTES = 2_000_000
/** Asks of a measurement, one after the other: the collector of garbage is part of what they cost. */
const ASKS = 40
/** Milliseconds between two samples of memory. */
const SAMPLE_EVERY = 50

type Options = { rounds: number }
type Measured = { name: string; attachments: object[]; cpu_ms: number[]; peak: number[]; after: number[] }

/** What the pictures of a question cost the server that sends them on. */
export async function attachmentsSection({ rounds }: Options): Promise<void> {
  const simulator = await startSimulator()
  const product = await startProduct(simulator.url)
  try {
    const [cookie = ''] = await product.people(1)
    const attachments: object[] = []
    for (let number = 0; number < PICTURES; number++)
      attachments.push({ file_id: await storePicture(product, cookie), as: 'picture' })
    const all: Measured[] = [
      { name: 'without pictures', attachments: [] },
      { name: `with ${PICTURES} pictures of ${PICTURE_BYTES / 1_000_000} MB`, attachments },
    ].map(each => ({ ...each, cpu_ms: [], peak: [], after: [] }))
    for (const each of all) await measure(product, cookie, each, ASKS)
    for (const each of all) for (const values of [each.cpu_ms, each.peak, each.after]) values.length = 0
    for (let round = 0; round < rounds; round++)
      for (const each of rotated(all, round)) await measure(product, cookie, each, ASKS)
    report(all)
  } finally {
    await Promise.all([product.stop(), simulator.stop()])
  }
}

async function measure({ child, url }: Product, cookie: string, measured: Measured, asks: number): Promise<void> {
  const idle = await child.usage(true)
  let peak = idle.rss
  const sampling = setInterval(() => {
    void child.usage().then(({ rss }) => (peak = Math.max(peak, rss)))
  }, SAMPLE_EVERY)
  for (let ask = 0; ask < asks; ask++) await askOnce(url, cookie, measured.attachments)
  clearInterval(sampling)
  const { cpu_us } = await child.usage()
  measured.cpu_ms.push((cpu_us - idle.cpu_us) / 1_000 / asks)
  measured.peak.push(peak - idle.rss)
  measured.after.push((await child.usage(true)).rss - idle.rss)
}

async function askOnce(url: string, cookie: string, attachments: object[]): Promise<void> {
  const socket = new WebSocket(url.replace('http', 'ws') + CHAT_PATH, [DELTA_PROTOCOL], {
    headers: { cookie, origin: url },
  })
  await once(socket, 'open')
  const asked = { source: 'openai_api', model: 'gpt_4', new_conversation: true, new_title: 'bench' }
  socket.send(JSON.stringify({ ...asked, text_content: '/simulate tokens=200\nLook', attachments }))
  const ended = Promise.withResolvers<void>()
  socket.on('message', (bytes: Buffer) => {
    const event = JSON.parse(bytes.toString('utf8')) as { type?: string } // what the server sends
    if (event.type === 'finished') ended.resolve()
    if (event.type === 'error') ended.reject(new Error(bytes.toString('utf8')))
  })
  await ended.promise
  socket.terminate()
}

async function storePicture({ url }: Product, cookie: string): Promise<string> {
  const form = new FormData()
  form.set('file', new Blob([new Uint8Array(aPng(PICTURE_BYTES))]), 'noise.png')
  const response = await fetch(`${url}/api/files`, { method: 'POST', headers: { cookie, origin: url }, body: form })
  const { result } = (await response.json()) as { result: { id: string } } // the envelope
  return result.id
}

/** Of so many bytes, since noise does not pack. */
function aPng(bytes: number): Buffer {
  const side = Math.floor(Math.sqrt(bytes / 3))
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  const rows = randomBytes((side * 3 + 1) * side)
  for (let row = 0; row < side; row++) rows[row * (side * 3 + 1)] = 0
  const parts = [chunk('IHDR', header), chunk('IDAT', deflateSync(rows, { level: 0 })), chunk('IEND', Buffer.alloc(0))]
  return Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), ...parts])
}

function chunk(name: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name), content])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  sum.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, sum])
}

function report(all: readonly Measured[]): void {
  const rows = all.map(({ name, cpu_ms, peak, after }) => [
    name,
    `${threeDigits(median(cpu_ms))} ms`,
    megabytes(median(peak)),
    megabytes(median(after)),
  ])
  printTable('An ask of 200 tokens', ['question', 'CPU', 'memory at most', 'afterwards'], rows)
  const [without, withPictures] = all
  if (without === undefined || withPictures === undefined) return
  const body = (PICTURES * PICTURE_BYTES * 4) / 3
  printGoal('CPU with pictures', median(withPictures.cpu_ms) / median(without.cpu_ms), 3, 'at most', ' times')
  printGoal('memory, by the size of the body', median(withPictures.peak) / body, 3, 'at most', ' times')
}
