import { onTestFinished, vi } from 'vitest'
import { markerCookie, type UserRead } from '#contract/users.ts'
import type { Envelope } from '#contract/envelope.ts'
import { UNLIMITED, WHOLE_DAY } from '#contract/limits.ts'
import { DEFAULT_PREFERENCES } from '#contract/preferences.ts'
import { type RefusalKey, REFUSALS } from '#contract/refusals.ts'
import type { Portal } from '#contract/status.ts'
import { useLoginExpired } from './call.ts'
import { useSession } from './session.ts'
import { useToasts } from './toasts.ts'

/** A call that the page has made, as in 'PATCH /user/me'. */
export type MadeCall = { call: string; query: URLSearchParams; body: unknown }
type Answer = Envelope | ((made: MadeCall) => Envelope | Promise<Envelope>) | 'away'

export function success(result: unknown = null): Envelope {
  return { code: 200, message: 'tips.requestSuccess', result }
}

export function refusal(
  key: RefusalKey,
  { result = null, ...more }: Partial<Pick<Envelope, 'result' | 'values' | 'detail'>> = {},
): Envelope {
  return { code: REFUSALS[key].code, message: `errors.${key}`, result, ...more }
}

/**
 * Stands in for the server in tests of the page. `answers` is keyed by call, as in 'PATCH /user/me'. Returns the list
 * of calls made.
 */
export function answerCalls(answers: Record<string, Answer>): MadeCall[] {
  const made: MadeCall[] = []
  const all: Record<string, Answer> = { 'GET /user/me/preferences': success(DEFAULT_PREFERENCES), ...answers }
  const fetchHere = vi.spyOn(window, 'fetch').mockImplementation(async (address, init) => {
    const url = new URL(String(address), window.location.origin)
    const call = `${init?.method ?? 'GET'} ${url.pathname.replace(/^\/api/, '')}`
    const one = { call, query: url.searchParams, body: bodyOf(init?.body) }
    made.push(one)
    const answer = all[call] ?? refusal('resourceNotFound')
    if (answer === 'away') throw new TypeError('Failed to fetch')
    return Response.json(typeof answer === 'function' ? await answer(one) : answer)
  })
  onTestFinished(() => fetchHere.mockRestore())
  return made
}

/** Resets to a device on which nobody has signed in: no session, nothing stored, no toast. */
export function freshDevice(): void {
  localStorage.clear()
  document.cookie = `${markerCookie(window.location.host)}=; Path=/; Max-Age=0`
  useSession.setState({ user: null })
  useToasts.setState({ toasts: [] })
  useLoginExpired.setState({ open: false })
}

/** Sets the cookie that scripts can read, as signing in does. */
export function leaveMarker(): void {
  document.cookie = `${markerCookie(window.location.host)}=1; Path=/`
}

/** For tests: a portal without sources and models, unless the case says otherwise. */
export const aPortal = (fields: Partial<Portal> = {}): Portal => ({
  name: null,
  version: '0.4.9',
  time_zone: 'UTC',
  demonstration: true,
  max_text_length: 1000,
  max_running_asks_per_user: 1,
  files: { max_attachments: 10, max_file_bytes: 20_971_520, max_picture_side: 2048 },
  sources: [],
  models: [],
  ...fields,
})

export function aUser(about: Partial<UserRead> = {}): UserRead {
  const limits = {
    allow_to_use: true,
    valid_until: null,
    max_conv_count: UNLIMITED,
    total_ask_count: UNLIMITED,
    rate_limits: [],
    daily_available_time_slots: [WHOLE_DAY],
    available_models: ['gpt_3_5', 'gpt_4'],
    per_model_ask_count: {},
  }
  return {
    id: 2,
    username: 'linxiaoyu',
    nickname: '林小雨',
    email: 'lin@example.org',
    last_active_time: null,
    create_time: '2026-03-04T05:06:07Z',
    avatar: null,
    is_superuser: false,
    is_active: true,
    is_verified: true,
    setting: {
      id: 2,
      user_id: 2,
      credits: 0,
      openai_web_chat_status: 'idling',
      openai_web: { ...limits, disable_uploading: false, use_team: false },
      openai_api: { ...limits, allow_custom_openai_api: false, custom_openai_api_settings: { url: null, key: null } },
    },
    ...about,
  }
}

function bodyOf(body: BodyInit | null | undefined): unknown {
  if (body instanceof URLSearchParams) return Object.fromEntries(body)
  return typeof body === 'string' ? JSON.parse(body) : body
}
