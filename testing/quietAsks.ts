import type { AskRequest } from '#contract/asking.ts'
import type { NewStorage } from './database.ts'
import { testClock } from './clock.ts'
import { heldUpstream } from './heldUpstream.ts'
import { type Chat, type Frame, type Person, question } from './person.ts'
import { type Portal, startPortal } from './portal.ts'

/** Where a test of asks for quiet begins: in the evening of a day in Shanghai. */
export const EVENING = Date.parse('2026-11-30T14:00:00Z')
export const MORNING = '2026-11-30T23:00:00.000Z'

/** A portal whose account answers so many at once when the test says so, at a time that the test sets. */
export async function quietPortal(storage: NewStorage, concurrency = 1) {
  const [upstream, clock, stored] = [await heldUpstream(), testClock(EVENING), await storage()]
  const environment = { OPENAI_BASE_URL: upstream.base_url }
  const portal = await startPortal({ storage: stored, environment, clock })
  await portal.admin.result('PUT', '/system/config', {
    portal: { time_zone: 'Asia/Shanghai' },
    openai_api: { max_completion_concurrency: concurrency },
  })
  const again = (): Promise<Portal> => startPortal({ storage: stored, environment, clock })
  return { ...portal, upstream, clock, again }
}

export const quietly = (text: string, more: Partial<AskRequest> = {}): AskRequest =>
  question(text, { when: 'quiet', new_title: text, ...more })

/** Asks when it is quiet, and waits until it is known to wait. */
export async function askQuietly(person: Person, text: string, more: Partial<AskRequest> = {}): Promise<Chat> {
  const chat = await person.chat(quietly(text, more))
  await chat.until(frame => frame.type === 'accepted')
  return chat
}

/** Somebody is being answered, so that it is not quiet. */
export async function busyWith(person: Person, text: string): Promise<Chat> {
  const chat = await person.chat(question(text, { new_title: text }))
  await chat.until(frame => frame.type === 'waiting')
  return chat
}

export const waits = (frame: Frame): boolean => frame.type === 'queueing' && frame['quiet'] !== undefined
export const hasEnded = (frame: Frame): boolean => frame.type === 'finished' || frame.type === 'error'
export const askIdOf = (chat: Chat): string =>
  String(chat.frames.find(frame => frame.type === 'accepted')?.['ask_id'] ?? '')
