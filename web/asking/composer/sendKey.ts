import type { SendKey } from '#contract/preferences.ts'
import { isForInputMethod } from '#web/foundation/shortcuts.ts'

export type Keystroke = Pick<
  KeyboardEvent,
  'key' | 'isComposing' | 'keyCode' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'
>

/** While an input method is composing (Chinese, for one), Enter accepts a candidate and must not send. */
export function sends(stroke: Keystroke, sendKey: SendKey): boolean {
  if (stroke.key !== 'Enter' || isForInputMethod(stroke) || stroke.altKey) return false
  // Command is the Ctrl of a Mac.
  const ctrl = stroke.ctrlKey || stroke.metaKey
  return stroke.shiftKey === (sendKey === 'Shift+Enter') && ctrl === (sendKey === 'Ctrl+Enter')
}
