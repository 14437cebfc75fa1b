import { useEffect, useRef } from 'react'
import type { PlainKey } from '#web/i18n/dictionary.ts'
import { isForInputMethod } from './inputMethod.ts'
import { readStored, writeStored } from './stored.ts'

/** `mod` is Ctrl, on a Mac Command. */
export type Stroke = { key: string; mod?: boolean; shift?: boolean; alt?: boolean }

/** Where the keys have that meaning; in other fields they are what one types there. */
type Place = 'anywhere' | 'outsideFields' | 'outsideText' | 'composer' | 'emptyComposer'

type Shortcut = {
  text: PlainKey
  strokes: readonly [Stroke, ...Stroke[]]
  place: Place
  /** What it acts on lies above whatever is open. */
  aboveDialogs?: boolean
}

/** All there are: what listens to the keys and the card that names them are made from this list. */
export const SHORTCUTS = {
  search: { text: 'shortcuts.search', strokes: [{ key: 'k', mod: true }], place: 'anywhere' },
  newConversation: {
    text: 'shortcuts.newConversation',
    strokes: [{ key: 'o', mod: true, shift: true }],
    place: 'anywhere',
  },
  previousConversation: {
    text: 'shortcuts.previousConversation',
    strokes: [{ key: 'ArrowUp', alt: true }],
    place: 'anywhere',
  },
  nextConversation: {
    text: 'shortcuts.nextConversation',
    strokes: [{ key: 'ArrowDown', alt: true }],
    place: 'anywhere',
  },
  focusComposer: { text: 'shortcuts.focusComposer', strokes: [{ key: 'Escape', shift: true }], place: 'anywhere' },
  stop: { text: 'shortcuts.stop', strokes: [{ key: 'Escape' }], place: 'composer' },
  editLast: { text: 'shortcuts.editLast', strokes: [{ key: 'ArrowUp' }], place: 'emptyComposer' },
  /** Elsewhere it takes back what was typed. The screen itself puts the focus into the empty composer. */
  undo: { text: 'shortcuts.undo', strokes: [{ key: 'z', mod: true }], place: 'outsideText', aboveDialogs: true },
  help: { text: 'shortcuts.help', strokes: [{ key: '/', mod: true }], place: 'anywhere' },
  /** A key without Ctrl or Alt can be switched off (WCAG 2.1.4): some speak to their computer, some strike keys unawares. */
  helpByOneKey: { text: 'shortcuts.help', strokes: [{ key: '?' }], place: 'outsideFields' },
} as const satisfies Record<string, Shortcut>
export type ShortcutName = keyof typeof SHORTCUTS

export const NAMES = Object.keys(SHORTCUTS) as ShortcutName[] // the keys of a literal table are its type

const IS_MAC = /Mac|iPhone|iPad/.test(navigator.platform)

/** What stands on the keys. */
export function keysOf({ key, mod, shift, alt }: Stroke, isMac = IS_MAC): string[] {
  const modifiers = [mod && (isMac ? '⌘' : 'Ctrl'), alt && (isMac ? '⌥' : 'Alt'), shift && (isMac ? '⇧' : 'Shift')]
  return [...modifiers.filter(name => typeof name === 'string'), KEY_CAPS[key] ?? key.toUpperCase()]
}
const KEY_CAPS: Record<string, string> = { Escape: 'Esc', ArrowUp: '↑', ArrowDown: '↓' }

/** For `aria-keyshortcuts` of what the keys lead to. */
export function ariaKeysOf(name: ShortcutName): string {
  const { key, mod, shift, alt }: Stroke = SHORTCUTS[name].strokes[0]
  const modifiers = [mod && (IS_MAC ? 'Meta' : 'Control'), alt && 'Alt', shift && 'Shift']
  return [...modifiers.filter(part => typeof part === 'string'), key.length === 1 ? key.toUpperCase() : key].join('+')
}

export type Struck = Pick<
  KeyboardEvent,
  'key' | 'code' | 'ctrlKey' | 'metaKey' | 'shiftKey' | 'altKey' | 'isComposing' | 'keyCode' | 'repeat'
>

function isAboveDialogs(name: ShortcutName): boolean {
  const { aboveDialogs = false }: Shortcut = SHORTCUTS[name]
  return aboveDialogs
}

/** The shortcut that was struck there, if one was. */
export function shortcutOf(struck: Struck, target: EventTarget | null, isMac = IS_MAC): ShortcutName | null {
  if (isForInputMethod(struck) || struck.repeat) return null
  const name = NAMES.find(
    name =>
      SHORTCUTS[name].strokes.some(stroke => matches(struck, stroke, isMac)) && isMeant(SHORTCUTS[name].place, target),
  )
  return name === 'helpByOneKey' && !hasOneKeyShortcuts() ? null : (name ?? null)
}

function matches(struck: Struck, { key, mod = false, shift = false, alt = false }: Stroke, isMac: boolean): boolean {
  if (
    struck.altKey !== alt ||
    (isMac ? struck.metaKey : struck.ctrlKey) !== mod ||
    (isMac ? struck.ctrlKey : struck.metaKey)
  )
    return false
  // On some keyboards a sign is reached with Shift, on others without.
  if (key.length === 1 && !/[a-z]/.test(key)) return struck.key === key
  // Where letters are not Latin, the place of the key counts.
  return (
    struck.shiftKey === shift &&
    (struck.key.toLowerCase() === key.toLowerCase() || struck.code === `Key${key.toUpperCase()}`)
  )
}

function isMeant(place: Place, target: EventTarget | null): boolean {
  const field = target instanceof Element ? target.closest('input, textarea, select, [contenteditable]') : null
  const composer = field instanceof HTMLTextAreaElement && field.matches('[data-composer]') ? field : null
  switch (place) {
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

/** The handlers of each shortcut; of several, the one registered last is called. */
const answering = new Map<ShortcutName, (() => void)[]>()

/** Answers a shortcut as long as the caller is mounted and the handler is not null. */
export function useShortcut(name: ShortcutName, handler: (() => void) | null): void {
  const latest = useRef(handler)
  useEffect(() => {
    latest.current = handler
  })
  const answers = handler !== null
  useEffect(() => (answers ? onShortcut(name, () => latest.current?.()) : undefined), [name, answers])
}

export function onShortcut(name: ShortcutName, handler: () => void): () => void {
  answering.set(name, [...(answering.get(name) ?? []), handler])
  return () =>
    void answering.set(
      name,
      (answering.get(name) ?? []).filter(other => other !== handler),
    )
}

/** What the first paint hears when the page has taken its place. */
export const TAKEN_OVER = 'takenover'

/** Set in the capture phase, since a dialog that Escape closes is gone by the time the key bubbles up. What is open takes Escape first. */
let inDialog = false
window.addEventListener(
  'keydown',
  ({ target }) => {
    inDialog =
      document.querySelector('[aria-modal=true], :popover-open') !== null ||
      (target instanceof Element && target.closest('[role=menu], [role=dialog]') !== null)
  },
  { capture: true },
)

window.addEventListener('keydown', event => {
  if (event.defaultPrevented) return
  const name = shortcutOf(event, event.target)
  if (name === null || (inDialog && !isAboveDialogs(name))) return
  const answer = answering.get(name)?.at(-1)
  if (answer === undefined) return
  event.preventDefault()
  // A page that cannot be seen yet cannot take the focus either.
  const first = document.querySelector('first-paint')
  if (first === null) answer()
  else first.addEventListener(TAKEN_OVER, answer, { once: true })
})
