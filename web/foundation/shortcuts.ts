import type { PlainKey } from '#web/i18n/dictionary.ts'
import { readStored, writeStored } from './stored.ts'

/** `mod` is Ctrl, on a Mac Command. */
export type Stroke = { key: string; mod?: boolean; shift?: boolean; alt?: boolean }

/** Where the focus must be. */
type Focus = 'anywhere' | 'outsideFields' | 'outsideText' | 'composer' | 'emptyComposer'

type Shortcut = {
  text: PlainKey
  strokes: readonly [Stroke, ...Stroke[]]
  focus: Focus
  /** Works while a dialog is open. */
  aboveDialogs?: boolean
}

/** All shortcuts: what the key handler and the dialog of shortcuts follow. */
export const SHORTCUTS = {
  search: { text: 'shortcuts.search', strokes: [{ key: 'k', mod: true }], focus: 'anywhere' },
  newConversation: {
    text: 'shortcuts.newConversation',
    strokes: [{ key: 'o', mod: true, shift: true }],
    focus: 'anywhere',
  },
  previousConversation: {
    text: 'shortcuts.previousConversation',
    strokes: [{ key: 'ArrowUp', alt: true }],
    focus: 'anywhere',
  },
  nextConversation: {
    text: 'shortcuts.nextConversation',
    strokes: [{ key: 'ArrowDown', alt: true }],
    focus: 'anywhere',
  },
  focusComposer: { text: 'shortcuts.focusComposer', strokes: [{ key: 'Escape', shift: true }], focus: 'anywhere' },
  stop: { text: 'shortcuts.stop', strokes: [{ key: 'Escape' }], focus: 'composer' },
  editLast: { text: 'shortcuts.editLast', strokes: [{ key: 'ArrowUp' }], focus: 'emptyComposer' },
  /** In a field with text, the browser's own undo. */
  undo: { text: 'shortcuts.undo', strokes: [{ key: 'z', mod: true }], focus: 'outsideText', aboveDialogs: true },
  help: { text: 'shortcuts.help', strokes: [{ key: '/', mod: true }], focus: 'anywhere' },
  /** A key without Ctrl or Alt can be switched off (WCAG 2.1.4): speech input and shaking hands would hit it. */
  helpByOneKey: { text: 'shortcuts.help', strokes: [{ key: '?' }], focus: 'outsideFields' },
} as const satisfies Record<string, Shortcut>
export type ShortcutName = keyof typeof SHORTCUTS

export const NAMES = Object.keys(SHORTCUTS) as ShortcutName[] // the keys of a literal table are its type

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)

/** The labels as printed on the keys. */
export function keysOf({ key, mod, shift, alt }: Stroke, isMac = IS_MAC): string[] {
  const modifiers = [mod && (isMac ? '⌘' : 'Ctrl'), alt && (isMac ? '⌥' : 'Alt'), shift && (isMac ? '⇧' : 'Shift')]
  return [...modifiers.filter(name => typeof name === 'string'), KEY_CAPS[key] ?? key.toUpperCase()]
}
const KEY_CAPS: Record<string, string> = { Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' }

/** For `aria-keyshortcuts`. */
export function ariaKeysOf(name: ShortcutName): string {
  const { key, mod, shift, alt }: Stroke = SHORTCUTS[name].strokes[0]
  const modifiers = [mod && (IS_MAC ? 'Meta' : 'Control'), alt && 'Alt', shift && 'Shift']
  return [...modifiers.filter(part => typeof part === 'string'), key.length === 1 ? key.toUpperCase() : key].join('+')
}

export type Keydown = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'isComposing' | 'keyCode' | 'repeat'
>

export function isAboveDialogs(name: ShortcutName): boolean {
  const { aboveDialogs = false }: Shortcut = SHORTCUTS[name]
  return aboveDialogs
}

/** The shortcut that was pressed, or null. */
export function shortcutOf(event: Keydown, target: EventTarget | null, isMac = IS_MAC): ShortcutName | null {
  if (isForInputMethod(event) || event.repeat) return null
  const name = NAMES.find(
    name =>
      SHORTCUTS[name].strokes.some(stroke => matches(event, stroke, isMac)) && isMeant(SHORTCUTS[name].focus, target),
  )
  return name === 'helpByOneKey' && !hasOneKeyShortcuts() ? null : (name ?? null)
}

function matches(event: Keydown, { key, mod = false, shift = false, alt = false }: Stroke, isMac: boolean): boolean {
  if (
    event.altKey !== alt ||
    (isMac ? event.metaKey : event.ctrlKey) !== mod ||
    (isMac ? event.ctrlKey : event.metaKey)
  )
    return false
  // Some keyboards need Shift for a punctuation mark, others do not.
  if (key.length === 1 && !/[a-z]/.test(key)) return event.key === key
  // On a layout without Latin letters the physical key is compared.
  return (
    event.shiftKey === shift &&
    (event.key.toLowerCase() === key.toLowerCase() || event.code === `Key${key.toUpperCase()}`)
  )
}

function isMeant(focus: Focus, target: EventTarget | null): boolean {
  const field = target instanceof Element ? target.closest('input, textarea, select, [contenteditable]') : null
  const composer = field instanceof HTMLTextAreaElement && field.matches('[data-composer]') ? field : null
  switch (focus) {
    case 'anywhere':
      return true
    case 'outsideFields':
      return field === null
    case 'outsideText':
      return field === null || composer?.value === ''
    case 'composer':
      return field === composer
    case 'emptyComposer':
      return composer?.value === ''
  }
}

const ONE_KEY = 'oneKeyShortcuts'

export function hasOneKeyShortcuts(): boolean {
  return readStored(ONE_KEY) !== 'off'
}

export function setOneKeyShortcuts(on: boolean): void {
  writeStored(ONE_KEY, on ? null : 'off')
}

/**
 * The key code of a key that an input method handled. Safari reports it just after composing, when `isComposing` is
 * false again.
 */
const HANDLED = 229

/** Whether the key went to an input method, to accept or cancel what is being composed. */
export function isForInputMethod({ isComposing, keyCode }: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  return isComposing || keyCode === HANDLED
}
