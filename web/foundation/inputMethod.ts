/**
 * The key code of a key that an input method handled. Safari reports it just after composing, when `isComposing` is
 * false again.
 */
const HANDLED = 229

/** Whether the key went to an input method, to accept or cancel what is being composed. */
export function isForInputMethod({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === HANDLED
}
