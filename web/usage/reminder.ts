import { create } from 'zustand'
import { forgetReminder as forgetAtServer, type Reminder, setReminder } from '#contract/notices.ts'
import { call } from '#web/foundation/call.ts'
import { leftUntil } from '#web/foundation/moments.ts'
import { useSession } from '#web/foundation/session.ts'
import { readStoredObject, writeStored } from '#web/foundation/stored.ts'
import { toast } from '#web/foundation/toasts.ts'
import { loadTexts, translate } from '#web/i18n/useTranslate.ts'

/** The moment that this page is to remind of; there is one at a time. */
export const useReminder = create<{ moment: string | null }>(() => ({ moment: null }))

/** By the clock of the server, which is `ahead_ms` ahead of this device’s. */
type Reminded = Reminder & { ahead_ms: number }

let timer: ReturnType<typeof setTimeout> | undefined

/** Milliseconds: a longer wait is more than a timer can hold. */
const MAX_TIMER = 2_147_000_000
/** Milliseconds: what has opened so long ago is no news. */
const NEWS_MS = 12 * 3_600_000

const entryName = () => `reminder.${useSession.getState().user?.id ?? ''}`

/**
 * Says in the open page when the moment has come, also after a reload; the server tells the browser, where that was
 * switched on, so that a closed page is no loss. Nothing is sent to a model by itself.
 */
export function remindAt({ ahead_ms, ...reminder }: Reminded): void {
  start({ ahead_ms, ...reminder })
  writeStored(entryName(), JSON.stringify({ ahead_ms, ...reminder }))
  // The page reminds all the same.
  call(setReminder, { body: reminder }).catch(() => null)
}

export function forgetReminder(): void {
  stop()
  call(forgetAtServer, {}).catch(() => null)
}

/** What the page was to remind of before it was reloaded, or closed. */
export function restoreReminder(): void {
  const stored: Partial<Reminded> = readStoredObject(entryName())
  const { moment, label, source, model, ahead_ms = 0 } = stored
  if (useReminder.getState().moment !== null || typeof moment !== 'string' || typeof label !== 'string') return
  const opened_ago = Date.now() + ahead_ms - Date.parse(moment)
  if (!(opened_ago < NEWS_MS) || source === undefined || model === undefined) return writeStored(entryName(), null)
  start({ moment, label, source, model, ahead_ms })
}

function start({ moment, ahead_ms, label }: Reminded): void {
  stop()
  useReminder.setState({ moment })
  const left = Math.max(0, leftUntil(moment, Date.now(), ahead_ms))
  timer = setTimeout(() => void say(label), Math.min(MAX_TIMER, left))
}

async function say(label: string): Promise<void> {
  stop()
  await loadTexts('usage')
  toast.notice(translate('usage.way.over'), translate('usage.way.overText', { model: label }))
}

function stop(): void {
  clearTimeout(timer)
  useReminder.setState({ moment: null })
  writeStored(entryName(), null)
}
