import { beforeEach, describe, expect, test } from 'vitest'
import { onShortcut } from '#web/foundation/shortcuts.ts'
import { takeMarks, takeOver } from './takeOver.ts'

const FIELDS = `
  <form><input data-testid="username"><input name="remember" type="checkbox">
  <select aria-label="language"><option value="zh" selected>zh</option><option value="en">en</option></select>
  <textarea data-testid="composer"></textarea><button type="button" aria-label="new">+</button></form>`

let page: HTMLElement
let first: HTMLElement & {
  composing?: boolean
  written?: boolean
  pressed?: HTMLElement | null
  stroke?: KeyboardEvent | null
}

beforeEach(() => {
  document.body.innerHTML = `<first-paint>${FIELDS}</first-paint><div id="root">${FIELDS}</div>`
  first = inside<HTMLElement>(document.body, 'first-paint')
  Object.assign(first, { composing: false, written: false, pressed: null, stroke: null })
  page = inside<HTMLElement>(document.body, '#root')
  takeMarks()
})

describe('the page', () => {
  test('has every mark for itself as soon as it is there', () => {
    expect(document.querySelectorAll('[data-testid=composer]')).toHaveLength(1)
    expect(page.contains(document.querySelector('[data-testid=composer]'))).toBe(true)
  })
  test('takes the place of what was painted first', () => {
    takeOver(page)
    expect(document.querySelector('first-paint')).toBe(null)
  })
  test('takes along what was typed and chosen, as if it had happened there', () => {
    const heard: string[] = []
    for (const type of ['input', 'change'])
      page.addEventListener(type, ({ target }) => heard.push(`${type} ${(target as HTMLElement).localName}`))
    inside<HTMLInputElement>(first, '[data-mark=username]').value = 'ann'
    inside<HTMLSelectElement>(first, 'select').value = 'en'
    takeOver(page)
    expect(inside<HTMLInputElement>(page, '[data-testid=username]').value).toBe('ann')
    expect(inside<HTMLSelectElement>(page, 'select').value).toBe('en')
    expect(heard).toEqual(['input input', 'change select'])
  })
  test('takes along a mark that was set', () => {
    inside<HTMLInputElement>(first, '[name=remember]').checked = true
    takeOver(page)
    expect(inside<HTMLInputElement>(page, '[name=remember]').checked).toBe(true)
  })
  test('keeps the draft it has before what was typed meanwhile, and the cursor where it was', () => {
    const field = inside<HTMLTextAreaElement>(first, 'textarea')
    field.value = 'and more'
    first.written = true
    field.focus()
    field.setSelectionRange(3, 3)
    const composer = inside<HTMLTextAreaElement>(page, 'textarea')
    composer.value = 'a draft '
    takeOver(page)
    expect(composer.value).toBe('a draft and more')
    expect(composer.selectionStart).toBe('a draft and'.length)
    expect(document.activeElement).toBe(composer)
  })
  test('leaves a draft that the browser has put back, and nobody wrote', () => {
    inside<HTMLTextAreaElement>(first, 'textarea').value = 'a draft'
    const composer = inside<HTMLTextAreaElement>(page, 'textarea')
    composer.value = 'a draft'
    takeOver(page)
    expect(composer.value).toBe('a draft')
  })
  test('leaves alone what nobody has touched', () => {
    const heard: Event[] = []
    page.addEventListener('input', event => heard.push(event))
    takeOver(page)
    expect(heard).toEqual([])
  })
  test('is pressed where the other was', async () => {
    const pressed = new Promise(resolve => {
      inside(page, 'button').addEventListener('click', resolve, { once: true })
    })
    first.pressed = inside<HTMLElement>(first, 'button')
    takeOver(page)
    await pressed
  })
  test('hears the key that would have sent', async () => {
    const composer = inside<HTMLTextAreaElement>(page, 'textarea')
    const struck = new Promise<KeyboardEvent>(resolve => {
      composer.addEventListener('keydown', resolve, { once: true })
    })
    const field = inside<HTMLTextAreaElement>(first, 'textarea')
    field.addEventListener('keydown', event => {
      first.stroke = event
    })
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', shiftKey: true }))
    takeOver(page)
    expect(await struck).toMatchObject({ key: 'Enter', shiftKey: true })
  })
  test('answers a shortcut that was struck before it could be seen', async () => {
    const seen: boolean[] = []
    const forget = onShortcut('search', () => seen.push(document.querySelector('first-paint') === null))
    inside(first, 'textarea').dispatchEvent(
      new KeyboardEvent('keydown', { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }),
    )
    takeOver(page)
    await expect.poll(() => seen).toEqual([true])
    forget()
  })
  test('waits for the end of a word that is being composed', async () => {
    first.composing = true
    takeOver(page)
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
