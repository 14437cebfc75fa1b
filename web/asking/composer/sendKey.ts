import type { SendKey } from '#contract/preferences.ts'
import { isForInputMethod } from '#web/foundation/shortcuts.ts'

export type Keystroke = Pick<
  KeyboardEvent,
  'key' | 'isComposing' | 'keyCode' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'
>

/** As the keys are named on them. */
export const CHAT_KEYS = {
  Enter: 'Enter',
  'Shift+Enter': 'Shift Enter',
  'Ctrl+Enter': 'Ctrl Enter',
} as const satisfies Record<SendKey, string>

/** Alt and Enter send a question when it is quiet. */
export const sendsQuietly = (stroke: Keystroke): boolean =>
  stroke.key === 'Enter' && stroke.altKey && !stroke.ctrlKey && !stroke.metaKey && !isForInputMethod(stroke)

/** While an input method is composing (Chinese, for one), Enter accepts a candidate and must not send. */
export function sends(stroke: Keystroke, sendKey: SendKey): boolean {
  if (stroke.key !== 'Enter' || isForInputMethod(stroke) || stroke.altKey) return false
  // Command is the Ctrl of a Mac.
  const ctrl = stroke.ctrlKey || stroke.metaKey
  return stroke.shiftKey === (sendKey === 'Shift+Enter') && ctrl === (sendKey === 'Ctrl+Enter')
}
