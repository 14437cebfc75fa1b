import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import type { Call } from '#contract/call.ts'
import { Configuration, updateConfiguration } from '#contract/configuration/configuration.ts'
import { SavedSettings, saveSettings } from '#contract/configuration/credentials.ts'
import type { ConversationHistory } from '#contract/conversations.ts'
import { Envelope } from '#contract/envelope.ts'
import { refusalKeyOf, REFUSALS } from '#contract/refusals.ts'
import { PATIENCE } from '#testing/patience.ts'
import { answeredCalls } from '#testing/calls.ts'
import { statusOf } from '#server/foundation/http/errors.ts'
import { startPortal, type Portal } from '#testing/portal.ts'
import { randomFrom, type Random } from '#testing/random.ts'
import { randomInput, type RandomInput } from '#testing/randomInput.ts'
import { rawRequest, type RawRequest } from '#testing/rawRequest.ts'

// SEED repeats what failed, REQUESTS looks longer.
const SEED = Number(process.env['SEED'] ?? 4711)
const REQUESTS = Number(process.env['REQUESTS'] ?? 8_000)

const ENVIRONMENT = {
  COMMONS_OPENAI_WEB_FILE_UPLOAD_STRATEGY: 'server_upload_only',
  COMMONS_HTTP_REQUESTS_PER_MINUTE: '1000000',
  // Each request comes from an address of its own, so that wrong passwords do not lock out the test itself.
  COMMONS_HTTP_TRUSTED_PROXIES: '["127.0.0.1"]',
}

type Caller = { name: 'nobody' | 'user' | 'superuser'; cookie: string }

/** Accounts get lost on the way: sessions end, passwords change, people are removed. Then a new one goes on. */
function callersOf({ app, url }: Portal, random: Random) {
  let count = 0
  return async function signInAnew(caller: Caller): Promise<void> {
    const username = `${caller.name}${++count}`
    const password = 'correct-horse-7'
    await app.services.users.createUser({
      username,
      nickname: username,
      email: `${username}@example.org`,
      password,
      is_active: true,
      is_verified: true,
      is_superuser: caller.name === 'superuser',
    })
    const response = await fetch(`${url}/api/auth/login`, {
      method: 'POST',
      body: new URLSearchParams({ username, password }),
      headers: { origin: url, 'x-forwarded-for': addressFrom(random) },
    })
    caller.cookie = response.headers
      .getSetCookie()
      .map(line => line.split(';')[0])
      .join('; ')
    expect(caller.cookie).toMatch(/commons_session_\d+=/)
  }
}

const addressFrom = (random: Random) => [10, random.below(256), random.below(256), 1 + random.below(250)].join('.')

const ODD_TYPES = [
  'text/plain',
  'application/json\t;charset=utf-8',
  'application/json; charset=utf-16',
  'application/json;a=b',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  'application/x-www-form-urlencoded; charset=latin1',
  '*/*',
  'application/json, application/json',
  ' ',
]
const ODD_PARTS = [
  '%00',
  '%',
  '%zz',
  '%ff%fe',
  '..',
  '%2e%2e%2f',
  '%2F',
  'a'.repeat(500),
  '',
  '%F0%9F%98%80',
  ';',
  '%ED%A0%80',
  '1e3',
  '-1',
  '%0d%0a',
]

function requestFor(call: Call, caller: Caller, random: Random, input: RandomInput): RawRequest {
  const params = call.params === null ? {} : input.valueFor(call.params)
  const path = `/api${call.path.replaceAll(/:(\w+)/g, (_, name: string) => partOf(random, params, name))}${queryOf(call, random, input)}`
  const headers: Record<string, string> = { origin: '', cookie: caller.cookie, 'x-forwarded-for': addressFrom(random) }
  const { type, body } = bodyOf(call, random, input)
  if (type !== null) headers['content-type'] = random.percent(4) ? random.of(ODD_TYPES) : type
  return { method: call.method, path, headers, body }
}

function partOf(random: Random, params: unknown, name: string): string {
  const value = typeof params === 'object' && params !== null && name in params ? textOf(params[name as never]) : ''
  return random.percent(10) || value === '' ? random.of(ODD_PARTS) : encoded(value)
}

/** Longer ones do not fit into the head of a request, which then is none; some come twice in it. */
const encoded = (text: string): string => encodeURIComponent(text.slice(0, 800).toWellFormed())
const textOf = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

function queryOf({ query }: Call, random: Random, input: RandomInput): string {
  if (query === null) return random.percent(5) ? `?${random.of(ODD_PARTS)}=1` : ''
  const given = input.valueFor(query)
  const pairs = typeof given === 'object' && given !== null ? Object.entries(given) : []
  const written = pairs.map(
    ([name, value]) => `${name}=${random.percent(8) ? random.of(ODD_PARTS) : encoded(textOf(value))}`,
  )
  if (random.percent(5)) written.push(...written)
  return `?${written.join('&')}`
}

/** Bodies that take more than their schema says. */
const BODIES = new Map<Call, z.ZodMiniType>([
  [updateConfiguration, z.partial(Configuration)],
  [saveSettings, z.extend(z.partial(Configuration), SavedSettings.shape)],
])

function bodyOf(call: Call, random: Random, input: RandomInput): { type: string | null; body?: string | Uint8Array } {
  if (call.body === null)
    return random.percent(5) ? { type: 'application/json', body: input.spoilt({}) } : { type: null }
  if (call.bodyKind === 'file' || call.bodyKind === 'parts')
    return { type: 'multipart/form-data; boundary=edge', body: fileForm(call, random, input) }
  if (call.bodyKind === 'content') return { type: random.percent(50) ? 'text/plain' : null, body: input.nasty() }
  const value = input.valueFor(BODIES.get(call) ?? call.body)
  if (call.bodyKind !== 'form') {
    const text = input.spoilt(value)
    return {
      type: 'application/json',
      body: random.percent(3) ? Buffer.concat([Buffer.from(text), Buffer.from([0xff, 0xfe])]) : text,
    }
  }
  const fields = typeof value === 'object' && value !== null ? Object.entries(value) : []
  const form = new URLSearchParams(fields.map(([name, text]) => [name, textOf(text)]))
  if (random.percent(70)) return { type: 'application/x-www-form-urlencoded', body: form.toString() }
  const parts = [...form].map(
    ([name, text]) => `--edge\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`,
  )
  return {
    type: 'multipart/form-data; boundary=edge',
    body: `${parts.join('')}${random.percent(80) ? '--edge--\r\n' : ''}`,
  }
}

/** A file, and where a call takes more parts, some of those. */
function fileForm({ bodyKind, body }: Call, random: Random, input: RandomInput): string {
  const further = bodyKind === 'parts' && body instanceof z.ZodMiniObject ? Object.keys(body.shape) : []
  const fields = ['file', ...further.filter(() => random.percent(15))]
  const parts = fields.map(field => {
    const name = random.percent(90) ? field : input.nasty()
    return `--edge\r\ncontent-disposition: form-data; name="${name}"; filename="${input.nasty()}"\r\n\r\n${input.nasty()}\r\n`
  })
  return `${parts.join('')}${random.percent(90) ? '--edge--\r\n' : ''}`
}

/**
 * No web service or Arkose endpoint is connected; nobody guesses the id of a new file or the link of an invitation. No
 * plan allows keys, nothing is shared by parts, nothing is old or waits until it is quiet, and no identity provider is
 * there.
 */
const WITHOUT_SUCCESS = [
  'readInvitation',
  'checkInvitedName',
  'acceptInvitation',
  'completeUpload',
  'relayUpload',
  'sendContent',
  'readDownloadUrl',
  'readContent',
  'downloadLocally',
  'deleteFile',
  'readThumbnail',
  'readFileText',
  'storePage',
  'readPage',
  'readInterpreter',
  'readInterpreterDownload',
  'readInterpreterFile',
  'beginArkose',
  'listPlugins',
  'listInstalledPlugins',
  'readInstalledPlugin',
  'updatePlugin',
  'updatePluginSingular',
  'checkUpstreamAccount',
  'checkUpstreamAccounts',
  'createKey',
  'changeKey',
  'revokeOwnKey',
  'revokeKey',
  'readShareLedger',
  'listShareReceivers',
  'giveShare',
  'takeBackShare',
  'acceptWindow',
  'askToKeep',
  'answerKeepRequest',
  'askQuietNow',
  'startSignIn',
  'finishSignIn',
  'linkIdentity',
  'endProviderSessions',
]

/** What is wrong with an answer, if anything. */
function wrongIn(call: Call, { status, text }: { status: number; text: string }): string | null {
  const isFile = call.resultKind === 'file'
  // A file is what it is: a refusal in its place has another status, unless no route was found.
  if (isFile && status === 200 && !text.startsWith('{"code":')) return null
  // Signing in leads a browser on, also where it is refused.
  if (isFile && status === 302 && text === '') return null
  if (status !== 200 && !isFile) return `HTTP ${status}: ${text.slice(0, 200)}`
  const parsed = Envelope.safeParse(JSON.parse(text))
  if (!parsed.success) return `no envelope: ${text.slice(0, 200)}`
  const { code, message, result } = parsed.data
  if (code === 200) {
    const checked = z.safeParse(call.result, result)
    return checked.success ? null : `not what the contract says: ${z.prettifyError(checked.error)}`
  }
  const key = refusalKeyOf(message)
  if (key === null || REFUSALS[key].code !== code) return `no refusal of ours: ${text.slice(0, 200)}`
  // An address that cannot be read, or is too long, leads to no route, and is answered like any other under /api.
  const hasNoRoute = status === 200 && (key === 'resourceNotFound' || text.includes('"url_invalid"'))
  if (isFile && !hasNoRoute && status !== statusOf(key)) return `HTTP ${status} of ${key}`
  return key === 'internal' || key === 'unknownError' ? text : null
}

function hasSucceeded({ resultKind }: Call, { status, text }: { status: number; text: string }): boolean {
  if (text.startsWith('{"code":200')) return true
  return resultKind === 'file' && status === 200 && !text.startsWith('{"code":')
}

/** Ids that exist: people, their conversations and messages. */
async function idsOf({ person, admin }: Portal): Promise<string[]> {
  const ids = ['1', '2', '3', '4', '5']
  for (const one of [await person('lin'), admin]) {
    const conversation_id = String((await one.ask('hello'))[0]?.['conversation_id'])
    const history = await one.result<ConversationHistory>('GET', `/conv/${conversation_id}`)
    ids.push(conversation_id, ...Object.keys(history.mapping))
  }
  return ids
}

describe('any request', () => {
  test(
    `is answered with an envelope, and never with an error of ours (seed ${SEED})`,
    { timeout: 4 * PATIENCE + REQUESTS * 100 },
    async () => {
      const log: string[] = []
      const portal = await startPortal({
        environment: ENVIRONMENT,
        log: line => {
          if (Number(/"level":(\d+)/.exec(line)?.[1]) >= 50) log.push(line)
        },
      })
      const random = randomFrom(SEED)
      const input = randomInput(random, await idsOf(portal))
      const signInAnew = callersOf(portal, random)
      const callers: Caller[] = [
        { name: 'nobody', cookie: '' },
        { name: 'user', cookie: '' },
        { name: 'superuser', cookie: '' },
      ]
      for (const caller of callers.slice(1)) await signInAnew(caller)
      const calls = answeredCalls(portal.app.http.answered)
      const succeeded = new Set<string>()
      const wrong: string[] = []
      for (let count = 0; count < REQUESTS && wrong.length < 5; count++) {
        const { name, call } = calls[count % calls.length]!
        // Too early, it would leave nothing for the calls about conversations.
        if (name === 'deleteAllConversations' && count < REQUESTS / 2) continue
        const caller = random.of(callers)
        const request = requestFor(call, caller, random, input)
        const answer = await rawRequest(portal.url, { ...request, headers: { ...request.headers, origin: portal.url } })
        const violation = wrongIn(call, answer)
        if (violation !== null)
          wrong.push(
            `${caller.name}: ${call.method} ${request.path.slice(0, 200)} ${String(request.body).slice(0, 300)} -> ${violation}`,
          )
        if (hasSucceeded(call, answer)) succeeded.add(name)
        if (
          answer.text.startsWith('{"code":104') &&
          caller.name !== 'nobody' &&
          (caller.name === 'superuser' || call.access !== 'superuser')
        )
          await signInAnew(caller)
      }
      expect(wrong).toEqual([])
      expect(log).toEqual([])
      // Otherwise all of this would have been turned away at the door.
      expect(succeeded.size).toBeGreaterThan((calls.length - WITHOUT_SUCCESS.length) * 0.7)
      expect((await rawRequest(portal.url, { method: 'GET', path: '/readyz' })).status).toBe(200)
    },
  )
})
