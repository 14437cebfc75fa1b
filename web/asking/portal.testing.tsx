import { vi } from 'vitest'
import { page } from 'vitest/browser'
import type { UserRead } from '#contract/users.ts'
import type { Envelope } from '#contract/envelope.ts'
import type { ConversationHistory, ConversationRecord } from '#contract/conversations.ts'
import type { UserSetting } from '#contract/limits.ts'
import { type Source, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import type { RefusalKey } from '#contract/refusals.ts'
import { until } from '#testing/until.ts'
import { aPortal, aUser, refusal } from '#web/foundation/api.testing.ts'
import { openScreen } from '#web/kit/openScreen.testing.tsx'
import { useHeaderContent } from '#web/kit/pageHead.ts'
import { ConversationScreen } from './ConversationScreen.tsx'

/** For tests: the page with a server of a few lines, written into the test. */
export type TestPortal = Awaited<ReturnType<typeof openTestPortal>>

/** Answers by "METHOD /path"; a function is given the address. */
type Answers = Record<string, unknown>

/**
 * A refusal as an answer. A call without an answer gets the refusal for what is not available; an answer may also be
 * any response.
 */
export class Refused {
  readonly key: RefusalKey
  readonly more: Partial<Pick<Envelope, 'values' | 'detail'>>

  constructor(key: RefusalKey, more: Partial<Pick<Envelope, 'values' | 'detail'>> = {}) {
    this.key = key
    this.more = more
  }
}

export async function openTestPortal(answers: Answers = {}, address = '/conversation', user = TEST_USER) {
  await page.viewport(1280, 800)
  const calls: string[] = []
  const sockets: TestSocket[] = []
  const network = { up: true }
  const known: Answers = { ...USUAL, ...answers }
  vi.stubGlobal('fetch', (url: string, { method = 'GET' }: RequestInit = {}) => {
    const { pathname, search } = new URL(url, window.location.origin)
    const name = `${method} ${pathname.replace('/api', '')}`
    calls.push(`${name}${search}`)
    const answer = known[name]
    const result = typeof answer === 'function' ? (answer as (search: string) => unknown)(search) : answer
    return Promise.resolve(result instanceof Response ? result.clone() : Response.json(envelopeOf(result)))
  })
  vi.stubGlobal('WebSocket', function (this: unknown, url: string, protocol: string) {
    const socket = new TestSocket(url, protocol, network.up)
    sockets.push(socket)
    return socket
  })
  const { screen, router } = await openScreen(FramedScreen, address, { path: '/conversation', user })
  /** Everything that was sent over the sockets. A socket that was only prepared has sent nothing. */
  const sent = () => sockets.flatMap(socket => socket.sent)
  return {
    screen,
    router,
    calls,
    sockets,
    sent,
    network,
    socket: () => until(() => sockets.at(-1) ?? Promise.reject(new Error('no socket'))),
  }
}

function envelopeOf(result: unknown): Envelope {
  if (result === undefined) return { code: -1, message: 'errors.notAvailable', result: null }
  if (result instanceof Refused) return refusal(result.key, result.more)
  return { code: 200, message: '', result }
}

/** The drafts that the browser has stored, as text. */
export function keptDrafts(): string {
  return Object.entries(window.localStorage)
    .filter(([name]) => name.startsWith('drafts.'))
    .map(([, value]) => String(value))
    .join()
}

/** One connection, of which the test plays the server. */
export class TestSocket extends EventTarget {
  readonly sent: Record<string, unknown>[] = []
  readonly url: string
  readonly protocol: string
  /** Like that of a WebSocket: 0 while connecting, 1 when open. */
  readyState = 0

  constructor(url: string, protocol: string, opens: boolean) {
    super()
    this.url = url
    this.protocol = protocol
    queueMicrotask(() => (opens ? this.open() : this.end(1006, '')))
  }

  open(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }
  emit(...events: object[]): void {
    for (const event of events) this.dispatchEvent(new MessageEvent('message', { data: JSON.stringify(event) }))
  }

  end(code = 1000, reason = 'tips.finished'): void {
    this.dispatchEvent(new CloseEvent('close', { code, reason }))
  }
  close(): void {
    /* the test says when it is closed */
  }
}

/** The screen in a frame as high as a screen, below its header. */
function FramedScreen() {
  return (
    <>
      <TestHeader />
      <div style={{ height: 700, display: 'grid' }}>
        <ConversationScreen />
      </div>
    </>
  )
}

function TestHeader() {
  const { menu, content } = useHeaderContent()
  return (
    <header>
      {menu}
      {content}
    </header>
  )
}

const { setting } = aUser()
const allowed = {
  daily_available_time_slots: [],
  available_models: ['gpt_3_5', 'gpt_4', 'llama'],
  per_model_ask_count: { gpt_4: 12 },
}

/** Somebody who may use openai_api alone, unless the case says otherwise. */
export const userWith = ({
  openai_web,
  openai_api,
}: {
  openai_web?: Partial<UserSetting['openai_web']>
  openai_api?: Partial<UserSetting['openai_api']>
}): UserRead =>
  aUser({
    id: 7,
    username: 'xiaoyu',
    nickname: '小雨',
    email: 'xiaoyu@example.org',
    setting: {
      ...setting,
      id: 7,
      user_id: 7,
      openai_web: { ...setting.openai_web, ...allowed, allow_to_use: false, ...openai_web },
      openai_api: { ...setting.openai_api, ...allowed, ...openai_api },
    },
  })

/** The conversation that a case is about. */
export const ID = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'

export const TEST_USER = userWith({})

export const modelOf = (source: Source, code: string) => ({ source, code, label: null, ...UNKNOWN_CAPABILITIES })

export const PORTAL = aPortal({
  time_zone: 'Asia/Shanghai',
  max_text_length: 2000,
  sources: [
    { source: 'openai_web', enabled: true },
    { source: 'openai_api', enabled: true },
  ],
  models: [
    modelOf('openai_api', 'gpt_3_5'),
    modelOf('openai_api', 'gpt_4'),
    { source: 'openai_api', code: 'llama', label: '本地的羊驼', ...UNKNOWN_CAPABILITIES, context_length: 8192 },
  ],
})

const USUAL: Answers = {
  'GET /status/portal': PORTAL,
  'GET /status/common': {
    active_user_in_5m: 1,
    active_user_in_1h: 1,
    active_user_in_1d: 1,
    is_chatbot_busy: false,
    chatbot_waiting_count: 0,
    gpt4_count_in_3_hours: 0,
  },
  'GET /user/me': TEST_USER,
  'GET /user/me/instructions': {
    about_me: '',
    how_to_answer: '',
    is_on: true,
    with_keys: false,
    portal: null,
    plan: null,
  },
  'GET /conv': [],
}

export function aRecord(
  conversation_id: string,
  title: string,
  update_time = new Date().toISOString(),
): ConversationRecord {
  return {
    id: 1,
    source: 'openai_api',
    conversation_id,
    source_id: null,
    title,
    user_id: TEST_USER.id,
    is_valid: true,
    current_model: 'gpt_4',
    create_time: update_time,
    update_time,
  }
}

export function withId(history: ConversationHistory, _id: string): ConversationHistory {
  return { ...history, _id }
}
