import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { userEvent } from 'vitest/browser'
import { ariaKeysOf, keysOf, setOneKeyShortcuts, type ShortcutName, shortcutOf, type Keydown } from './shortcuts.ts'
import { onShortcut } from './useShortcut.ts'

const stroke = (keydown: Partial<Keydown>): Keydown => ({
  key: '',
  code: '',
  ctrlKey: false,
  metaKey: false,
  shiftKey: false,
  altKey: false,
  isComposing: false,
  keyCode: 0,
  repeat: false,
  ...keydown,
})
const CTRL_K = { key: 'k', ctrlKey: true }
const COMMAND_K = { key: 'k', metaKey: true }

function show(markup: string): HTMLElement {
  const container = document.createElement('div')
  container.innerHTML = markup
  document.body.append(container)
  onTestFinished(() => container.remove())
  return container
}

const field = (markup: string) => show(markup).querySelector<HTMLElement>('textarea, input')!

function handling(name: ShortcutName) {
  const answer = vi.fn()
  onTestFinished(onShortcut(name, answer))
  return answer
}

beforeEach(() => setOneKeyShortcuts(true))

describe('a stroke', () => {
  test('needs all of its keys', () => {
    expect(shortcutOf(stroke(CTRL_K), document.body, false)).toBe('search')
    for (const more of [{ shiftKey: true }, { altKey: true }, { metaKey: true }]) {
      expect(shortcutOf(stroke({ ...CTRL_K, ...more }), document.body, false)).toBe(null)
    }
  })
  test('uses Command on a Mac, and not Ctrl', () => {
    expect(shortcutOf(stroke(COMMAND_K), document.body, true)).toBe('search')
    expect(shortcutOf(stroke(CTRL_K), document.body, true)).toBe(null)
    expect(keysOf({ key: 'o', mod: true, shift: true }, true)).toEqual(['⌘', '⇧', 'O'])
    expect(keysOf({ key: 'ArrowUp', alt: true }, false)).toEqual(['Alt', '↑'])
  })
  test('is named to a screen reader by aria-keyshortcuts', () => {
    expect(['search', 'focusComposer', 'nextConversation'].map(name => ariaKeysOf(name as ShortcutName))).toEqual([
      'Control+K',
      'Shift+Escape',
      'Alt+ArrowDown',
    ])
  })
  test('is recognised by its physical key on layouts without Latin letters', () => {
    expect(shortcutOf(stroke({ key: 'л', code: 'KeyK', ctrlKey: true }), document.body, false)).toBe('search')
  })
  test('is left to an input method that is composing', () => {
    expect(shortcutOf(stroke({ key: 'Escape', isComposing: true }), document.body, false)).toBe(null)
    expect(shortcutOf(stroke({ key: 'Escape', keyCode: 229 }), document.body, false)).toBe(null)
  })
  test('of a punctuation mark works with and without Shift', () => {
    for (const shiftKey of [true, false])
      expect(shortcutOf(stroke({ key: '/', ctrlKey: true, shiftKey }), document.body, false)).toBe('help')
  })
})

describe('a field', () => {
  const escape = stroke({ key: 'Escape' })
  const up = stroke({ key: 'ArrowUp' })
  test('keeps the keys that it uses itself', () => {
    const other = field('<input value="">')
    expect(shortcutOf(escape, other, false)).toBe(null)
    expect(shortcutOf(stroke({ key: '?' }), other, false)).toBe(null)
    expect(shortcutOf(stroke(CTRL_K), other, false)).toBe('search')
  })
  test('for the question stops with Escape, and edits the last one only while it is empty', () => {
    expect(shortcutOf(escape, field('<textarea data-composer>one</textarea>'), false)).toBe('stop')
    expect(shortcutOf(up, field('<textarea data-composer>one</textarea>'), false)).toBe(null)
    expect(shortcutOf(up, field('<textarea data-composer></textarea>'), false)).toBe('editLast')
    expect(shortcutOf(up, document.body, false)).toBe(null)
  })
})

describe('the key that takes something back', () => {
  const undo = stroke({ key: 'z', ctrlKey: true })
  test('is left to a field in which there is something', () => {
    expect(shortcutOf(undo, document.body, false)).toBe('undo')
    expect(shortcutOf(undo, field('<textarea data-composer></textarea>'), false)).toBe('undo')
    expect(shortcutOf(undo, field('<textarea data-composer>one</textarea>'), false)).toBe(null)
    expect(shortcutOf(undo, field('<input value="">'), false)).toBe(null)
  })
})

describe('a shortcut of one key', () => {
  test('can be switched off', () => {
    expect(shortcutOf(stroke({ key: '?', shiftKey: true }), document.body, false)).toBe('helpByOneKey')
    setOneKeyShortcuts(false)
    expect(shortcutOf(stroke({ key: '?', shiftKey: true }), document.body, false)).toBe(null)
    expect(shortcutOf(stroke({ key: '/', ctrlKey: true }), document.body, false)).toBe('help')
  })
})

describe('whoever answers a shortcut', () => {
  test('is called while it is registered, the latest one first', async () => {
    const first = handling('stop')
    const second = vi.fn()
    const leave = onShortcut('stop', second)
    await userEvent.keyboard('{Escape}')
    leave()
    await userEvent.keyboard('{Escape}')
    expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 1])
  })
  test('is not called while a dialog is open, not even by the Escape that closes it', async () => {
    const stop = handling('stop')
    const dialog = show('<div role="dialog" aria-modal="true"></div>')
    const close = () => dialog.replaceChildren()
    window.addEventListener('keydown', close, { capture: true, once: true })
    await userEvent.keyboard('{Escape}')
    expect(stop).not.toHaveBeenCalled()
    await userEvent.keyboard('{Escape}')
    expect(stop).toHaveBeenCalledOnce()
  })
  test('is called over a dialog when it is meant to', async () => {
    const undo = handling('undo')
    show('<div role="dialog" aria-modal="true"><button>x</button></div>').querySelector('button')?.focus()
    await userEvent.keyboard('{Control>}z{/Control}')
    expect(undo).toHaveBeenCalledOnce()
  })
  test('is not called by the Escape that closes an overlay', async () => {
    const stop = handling('stop')
    const popover = show('<div popover="auto">x</div>').querySelector<HTMLElement>('[popover]')!
    popover.showPopover()
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => popover.matches(':popover-open')).toBe(false)
    expect(stop).not.toHaveBeenCalled()
    await userEvent.keyboard('{Escape}')
    expect(stop).toHaveBeenCalledOnce()
  })
  test('is not called for a key that another listener has handled', async () => {
    const stop = handling('stop')
    const container = show('<button>x</button>')
    container.addEventListener('keydown', event => event.preventDefault())
    container.querySelector('button')?.focus()
    await userEvent.keyboard('{Escape}')
    expect(stop).not.toHaveBeenCalled()
  })
})
