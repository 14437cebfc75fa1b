import { describe, expect, test } from 'vitest'
import { SEND_KEYS } from '#contract/preferences.ts'
import { type Keystroke, sends } from './sendKey.ts'

const enter = (more: Partial<Keystroke> = {}): Keystroke => ({
  key: 'Enter',
  isComposing: false,
  keyCode: 13,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  ...more,
})

describe('the send key', () => {
  test('Enter sends, and with Shift makes a new line', () => {
    expect(sends(enter(), 'Enter')).toBe(true)
    expect(sends(enter({ shiftKey: true }), 'Enter')).toBe(false)
    expect(sends(enter({ ctrlKey: true }), 'Enter')).toBe(false)
  })
  test('Shift+Enter sends, and Enter makes a new line', () => {
    expect(sends(enter({ shiftKey: true }), 'Shift+Enter')).toBe(true)
    expect(sends(enter(), 'Shift+Enter')).toBe(false)
  })
  test('Ctrl+Enter sends, on a Mac with Command', () => {
    expect(sends(enter({ ctrlKey: true }), 'Ctrl+Enter')).toBe(true)
    expect(sends(enter({ metaKey: true }), 'Ctrl+Enter')).toBe(true)
    expect(sends(enter({ ctrlKey: true, shiftKey: true }), 'Ctrl+Enter')).toBe(false)
  })
  test('no other key sends', () => {
    for (const sendKey of SEND_KEYS) expect(sends(enter({ key: 'a' }), sendKey)).toBe(false)
  })
})

describe('an input method', () => {
  test('takes Enter for itself while it is composing', () => {
    for (const sendKey of SEND_KEYS) {
      expect(
        sends(
          enter({ isComposing: true, shiftKey: sendKey === 'Shift+Enter', ctrlKey: sendKey === 'Ctrl+Enter' }),
          sendKey,
        ),
      ).toBe(false)
    }
  })
  test('takes the Enter that Safari reports after composing', () => {
    expect(sends(enter({ keyCode: 229 }), 'Enter')).toBe(false)
  })
})
