import type { SendKey } from '#contract/preferences.ts'

export type Keystroke = Pick<KeyboardEvent, 'key' | 'isComposing' | 'keyCode' | 'shiftKey' | 'ctrlKey' | 'metaKey' | 'altKey'>

/** What browsers report for a key that an input method has taken; Safari does so just after composing, when `isComposing` is false again. */
const TAKEN_BY_INPUT_METHOD = 229

/** While an input method is composing (Chinese, for one), Enter accepts a candidate and must not send. */
export function sends(stroke: Keystroke, sendKey: SendKey): boolean {
  if (stroke.key !== 'Enter' || stroke.isComposing || stroke.keyCode === TAKEN_BY_INPUT_METHOD || stroke.altKey) return false
  // Command is the Ctrl of a Mac.
  const ctrl = stroke.ctrlKey || stroke.metaKey
  return stroke.shiftKey === (sendKey === 'Shift+Enter') && ctrl === (sendKey === 'Ctrl+Enter')
}
