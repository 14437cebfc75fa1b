import { beforeEach, describe, expect, test } from 'vitest'
import { onShortcut } from '#web/foundation/useShortcut.ts'
import { handOff, takeTestIds } from './handoff.tsx'
import type { FirstPaint } from './start.ts'

const FIELDS = `
  <form><input data-testid="username"><input name="remember" type="checkbox">
  <textarea data-testid="composer"></textarea><button type="button" aria-label="new">+</button></form>`

let page: HTMLElement
let first: HTMLElement & Partial<Pick<FirstPaint, 'composing' | 'hasTyped' | 'clicked' | 'sendKeydown'>>

beforeEach(() => {
  document.body.innerHTML = `<first-paint>${FIELDS}</first-paint><div id="root">${FIELDS}</div>`
  first = inside<HTMLElement>(document.body, 'first-paint')
  Object.assign(first, { composing: false, hasTyped: false, clicked: null, sendKeydown: null })
  page = inside<HTMLElement>(document.body, '#root')
  takeTestIds()
})

describe('the page', () => {
  test('is the only element with test ids as soon as it is rendered', () => {
    expect(document.querySelectorAll('[data-testid=composer]')).toHaveLength(1)
    expect(page.contains(document.querySelector('[data-testid=composer]'))).toBe(true)
  })
  test('replaces the drawn screen', () => {
    handOff(page)
    expect(document.querySelector('first-paint')).toBe(null)
  })
  test('receives what was typed, with the event of typing', () => {
    const events: string[] = []
    page.addEventListener('input', ({ target }) => events.push((target as HTMLElement).localName))
    inside<HTMLInputElement>(first, '[data-mark=username]').value = 'ann'
    handOff(page)
    expect(inside<HTMLInputElement>(page, '[data-testid=username]').value).toBe('ann')
    expect(events).toEqual(['input'])
  })
  test('receives a checked box', () => {
    inside<HTMLInputElement>(first, '[name=remember]').checked = true
    handOff(page)
    expect(inside<HTMLInputElement>(page, '[name=remember]').checked).toBe(true)
  })
  test('keeps its draft before what was typed meanwhile, and the position of the cursor', () => {
    const field = inside<HTMLTextAreaElement>(first, 'textarea')
    field.value = 'and more'
    first.hasTyped = true
    field.focus()
    field.setSelectionRange(3, 3)
    const composer = inside<HTMLTextAreaElement>(page, 'textarea')
    composer.value = 'a draft '
    handOff(page)
    expect(composer.value).toBe('a draft and more')
    expect(composer.selectionStart).toBe('a draft and'.length)
    expect(document.activeElement).toBe(composer)
  })
  test('receives no draft that the browser has restored', () => {
    inside<HTMLTextAreaElement>(first, 'textarea').value = 'a draft'
    const composer = inside<HTMLTextAreaElement>(page, 'textarea')
    composer.value = 'a draft'
    handOff(page)
    expect(composer.value).toBe('a draft')
  })
  test('receives no value that was not changed', () => {
    const events: Event[] = []
    page.addEventListener('input', event => events.push(event))
    handOff(page)
    expect(events).toEqual([])
  })
  test('is clicked where the drawn screen was clicked', async () => {
    const pressed = new Promise(resolve => {
      inside(page, 'button').addEventListener('click', resolve, { once: true })
    })
    first.clicked = inside<HTMLElement>(first, 'button')
    handOff(page)
    await pressed
  })
  test('receives the key that would have sent the text', async () => {
    const composer = inside<HTMLTextAreaElement>(page, 'textarea')
    const keydown = new Promise<KeyboardEvent>(resolve => {
      composer.addEventListener('keydown', resolve, { once: true })
    })
    const field = inside<HTMLTextAreaElement>(first, 'textarea')
    field.addEventListener('keydown', event => {
      first.sendKeydown = event
    })
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', shiftKey: true }))
    handOff(page)
    expect(await keydown).toMatchObject({ key: 'Enter', shiftKey: true })
  })
  test('answers a shortcut that was pressed before it was visible', async () => {
    const seen: boolean[] = []
    const forget = onShortcut('search', () => seen.push(document.querySelector('first-paint') === null))
    inside(first, 'textarea').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }),
    )
    handOff(page)
    await expect.poll(() => seen).toEqual([true])
    forget()
  })
  test('waits while an input method is composing a word', async () => {
    first.composing = true
    handOff(page)
    expect(document.querySelector('first-paint')).toBe(first)
    first.composing = false
    first.dispatchEvent(new CompositionEvent('compositionend'))
    await expect.poll(() => document.querySelector('first-paint')).toBe(null)
  })
})

function inside<E extends Element = Element>(where: Element, selector: string): E {
  const found = where.querySelector<E>(selector)
  if (found === null) throw new Error(`nothing is ${selector}`)
  return found
}
