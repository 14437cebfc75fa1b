import { WebSocket } from 'ws'
import { describe, expect, test } from 'vitest'
import { AskRequest, AskResponse, CHAT_PATH, DELTA_PROTOCOL, DeltaEvent, ResumeRequest } from '#contract/asking.ts'
import { forOldClients } from '#contract/oldClients.ts'
import { type RefusalKey, refusalKeyOf, REFUSALS } from '#contract/refusals.ts'
import { MAX_PAYLOAD } from '#server/asking/socket.ts'
import { PATIENCE } from '#testing/patience.ts'
import { bringsText, type Person, question } from '#testing/person.ts'
import { startPortal, type Portal } from '#testing/portal.ts'
import { randomFrom, type Random } from '#testing/random.ts'
import { randomInput, type RandomInput } from '#testing/randomInput.ts'

// SEED repeats what failed, MESSAGES looks longer.
const SEED = Number(process.env['SEED'] ?? 815)
const MESSAGES = Number(process.env['MESSAGES'] ?? 1_000)

// As many handshakes as are looked at, within the minute.
const ENVIRONMENT = { COMMONS_HTTP_REQUESTS_PER_MINUTE: '1000000' }

/** Old clients are told refusals by the keys that they know. */
const OLD_REASONS = new Set(
  (Object.keys(REFUSALS) as RefusalKey[]).map(key => `errors.${forOldClients(key).key}`), // its keys
)

type Sent = { data: string | Buffer; binary: boolean }
type Received = { code: number; reason: string; texts: string[] }

/** Opens a socket, sends these messages and hears it out. */
function say(
  { url }: Portal,
  { cookie }: Person,
  protocol: string | null,
  messages: readonly Sent[],
): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`${url.replace('http', 'ws')}${CHAT_PATH}`, protocol === null ? [] : [protocol], {
      headers: { cookie, origin: url },
    })
    const texts: string[] = []
    socket.on('open', () => {
      for (const { data, binary } of messages) socket.send(data, { binary }, () => {})
    })
    socket.on('message', data => texts.push(String(data)))
    socket.on('close', (code, reason) => resolve({ code, reason: String(reason), texts }))
    // Whoever sends more than is taken is cut off while still sending, and never reads the close.
    socket.on('error', error => {
      if (!/EPIPE|ECONNRESET/.test(error.message)) reject(error)
    })
  })
}

const text = (data: string | Buffer): Sent => ({ data, binary: false })
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const UTF8_MISTAKES = [[0xff], [0xc3, 0x28], [0xed, 0xa0, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xc0, 0xaf], [0xe2, 0x82]]

const FIXED: readonly { what: string; sent: Sent; codes: readonly number[] }[] = [
  { what: 'binary', sent: { data: Buffer.from('{}'), binary: true }, codes: [1003] },
  ...UTF8_MISTAKES.map(bytes => ({ what: `bytes ${bytes.join(' ')}`, sent: text(Buffer.from(bytes)), codes: [1007] })),
  { what: 'too large', sent: text('x'.repeat(MAX_PAYLOAD + 1)), codes: [1009] },
  { what: 'as large as may be', sent: text('x'.repeat(MAX_PAYLOAD)), codes: [1007] },
  { what: 'very deep', sent: text(nested(500_000)), codes: [1007] },
  {
    what: 'deep inside a field',
    sent: text(`{"source":"openai_api","openai_web_attachments":${nested(100_000)}}`),
    codes: [1007],
  },
  {
    what: 'a number beyond numbers',
    sent: text('{"resume":"00000000-0000-4000-8000-000000000000","after":1e400}'),
    codes: [1007],
  },
  { what: 'empty', sent: text(''), codes: [1007] },
  { what: 'a NUL', sent: text('\0'), codes: [1007] },
]

function oneOf(random: Random, input: RandomInput): Sent {
  switch (random.below(8)) {
    case 0:
      return text(input.spoilt(input.valueFor(ResumeRequest)))
    case 1:
      return text(input.nasty())
    case 2:
      return random.of(FIXED).sent
    case 3:
      return text(
        input.spoilt({ ...question('hello'), ...Object(input.valueFor(AskRequest)), text_content: input.nasty() }),
      )
    default:
      return text(input.spoilt(input.valueFor(AskRequest)))
  }
}

/** What is wrong with what was heard, if anything. */
function wrongIn({ code, reason, texts }: Received, protocol: string | null): string | null {
  const Frame = protocol === null ? AskResponse : DeltaEvent
  const bad = texts.find(each => !Frame.safeParse(JSON.parse(each)).success)
  if (bad !== undefined) return `not a frame: ${bad.slice(0, 200)}`
  if (code === 1011 || code === 1005 || (code === 1006 && texts.length > 0)) return `${code} ${reason}`
  if (texts.some(each => /errors\.(?:internal|unknownError)/.test(each))) return texts.join(' ').slice(0, 400)
  const isKnown = [1000, 1001, 1003, 1006, 1007, 1008, 1009].includes(code)
  if (!isKnown || (reason.startsWith('errors.') && refusalKeyOf(reason) === null && !OLD_REASONS.has(reason)))
    return `${code} ${reason}`
  return null
}

describe('a first message', () => {
  test('that is none is answered by its close code', async () => {
    const portal = await startPortal()
    const lin = await portal.person()
    for (const protocol of [null, DELTA_PROTOCOL]) {
      for (const { what, sent, codes } of FIXED) {
        const received = await say(portal, lin, protocol, [sent])
        expect(codes, `${what}: ${received.code} ${received.reason}`).toContain(received.code)
        expect(wrongIn(received, protocol), what).toBe(null)
      }
    }
    expect(portal.simulator.journal).toEqual([])
    expect(await lin.result('GET', '/conv')).toEqual([])
  })

  test(
    `may be anything: the process goes on, and so do other sockets (seed ${SEED})`,
    { timeout: 4 * PATIENCE + MESSAGES * 100 },
    async () => {
      const log: string[] = []
      const portal = await startPortal({
        environment: ENVIRONMENT,
        log: line => {
          if (Number(/"level":(\d+)/.exec(line)?.[1]) >= 50) log.push(line)
        },
      })
      const [lin, mei] = [await portal.person(), await portal.person()]
      const untouched = await mei.chat(question('/simulate tokens=200000 pace=2', { new_title: 'long' }))
      const { conversation_id } = await untouched.until(frame => frame.type === 'accepted')
      await untouched.until(bringsText)
      const random = randomFrom(SEED)
      const input = randomInput(random, [String(conversation_id), String(untouched.frames[0]?.['ask_id'])])
      const wrong: string[] = []
      for (let count = 0; count < MESSAGES && wrong.length < 5; count++) {
        const protocol = random.percent(50) ? null : DELTA_PROTOCOL
        // Further ones come while an answer may already run; one that stops it keeps this short.
        const messages = [oneOf(random, input), oneOf(random, input), text('{"stop":true}')]
        const received = await say(portal, lin, protocol, random.percent(50) ? messages.slice(0, 1) : messages)
        const violation = wrongIn(received, protocol)
        if (violation !== null) wrong.push(`${String(messages[0]?.data).slice(0, 300)} -> ${violation}`)
      }
      expect(wrong).toEqual([])
      expect(log).toEqual([])
      untouched.send({ stop: true })
      expect(await untouched.until(frame => frame.type === 'finished')).toMatchObject({ outcome: 'stopped' })
      portal.simulator.setPace(0)
      expect((await lin.ask('hello', { new_title: 'x' })).at(-1)).toMatchObject({ type: 'finished' })
    },
  )
})
