/** What browsers report for a key that an input method has taken; Safari does so just after composing, when `isComposing` is false again. */
const TAKEN = 229

/** Whether the key was one for an input method that composes, to accept a word or to give it up, and for nobody else. */
export function isForInputMethod({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === TAKEN
}
