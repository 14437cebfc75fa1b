import { TAKEN_OVER } from '#web/foundation/shortcuts.ts'

/** What web/public/start.js has put there, and what it saw happen in it. */
type FirstPaint = HTMLElement & {
  composing: boolean
  written: boolean
  pressed: HTMLElement | null
  stroke: KeyboardEvent | null
}
type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** The page is there, though not visible yet. From now on only it has `data-testid`s, so that none is found twice. */
export function takeMarks(): void {
  for (const marked of document.querySelectorAll<HTMLElement>('first-paint [data-testid]')) {
    marked.dataset['mark'] = marked.dataset['testid']
    delete marked.dataset['testid']
  }
}

/** Gives the page its styles in a task of their own, before that of the frame which lays it out. */
export function dressSoon(page: HTMLElement): void {
  window.scheduler?.postTask(() => getComputedStyle(page).color, { priority: 'user-blocking' }).catch(() => {})
}

/**
 * Puts the page in the place of what was painted before it, in one step: what was typed and chosen goes along, and what was pressed
 * when the page is alive. Not in the middle of a word that an input method is still composing.
 */
export function takeOver(page: HTMLElement): void {
  const first = document.querySelector<FirstPaint>('first-paint')
  if (first === null) return
  if (first.composing) {
    first.addEventListener('compositionend', () => setTimeout(() => takeOver(page)), { once: true })
    return
  }
  const { written, pressed, stroke } = first
  const focused = first.contains(document.activeElement) ? document.activeElement : null
  const typed = [...first.querySelectorAll<Field>('input, textarea, select')].filter(field => isChanged(field, written))
  first.remove()
  for (const from of typed) {
    const to = counterpartOf(from, page)
    if (to !== null && isField(to)) carry(from, to)
  }
  if (focused instanceof HTMLElement) counterpartOf(focused, page)?.focus({ preventScroll: true })
  // What was typed has to be known before.
  setTimeout(() => {
    if (pressed !== null) counterpartOf(pressed, page)?.click()
    const to = stroke?.target instanceof HTMLElement ? counterpartOf(stroke.target, page) : null
    if (stroke !== null && to instanceof HTMLTextAreaElement) strike(stroke, to)
    first.dispatchEvent(new Event(TAKEN_OVER))
  })
}

/** The same thing in the page: it has the same mark, or the same name. */
function counterpartOf(one: HTMLElement, page: HTMLElement): HTMLElement | null {
  const { mark } = one.dataset
  if (mark !== undefined) return page.querySelector<HTMLElement>(`[data-testid="${mark}"]`)
  return [...page.querySelectorAll<HTMLElement>(one.localName)].find(other => nameOf(other) === nameOf(one)) ?? null
}

function nameOf(element: HTMLElement): string {
  return element.getAttribute('name') ?? element.getAttribute('aria-label') ?? element.textContent.trim()
}

function isField(element: HTMLElement): element is Field {
  return (
    element instanceof HTMLInputElement ||
    element instanceof HTMLTextAreaElement ||
    element instanceof HTMLSelectElement
  )
}

/** A draft that the browser itself has put back into its field is kept by the page already; only what somebody wrote goes along. */
function isChanged(field: Field, written: boolean): boolean {
  if (field instanceof HTMLTextAreaElement) return written && field.value !== field.defaultValue
  if (field instanceof HTMLSelectElement)
    return [...field.options].some(option => option.selected !== option.defaultSelected)
  return field instanceof HTMLInputElement && field.type === 'checkbox'
    ? field.checked !== field.defaultChecked
    : field.value !== field.defaultValue
}

/** As if it had been typed there: a draft that was kept stays before it. */
function carry(from: Field, to: Field): void {
  if (from instanceof HTMLInputElement && from.type === 'checkbox') {
    if (to instanceof HTMLInputElement && to.checked !== from.checked) to.click()
    return
  }
  const before = to instanceof HTMLTextAreaElement ? to.value : ''
  // React watches the field's own setter; only the prototype's goes past it.
  Object.getOwnPropertyDescriptor(Object.getPrototypeOf(to), 'value')?.set?.call(to, before + from.value)
  to.dispatchEvent(new Event(to instanceof HTMLSelectElement ? 'change' : 'input', { bubbles: true }))
  if (from instanceof HTMLTextAreaElement && to instanceof HTMLTextAreaElement) {
    to.setSelectionRange(before.length + from.selectionStart, before.length + from.selectionEnd)
  }
}

/** The key that sends: what becomes of it is for the field itself to say. */
function strike({ key, shiftKey, ctrlKey, metaKey }: KeyboardEvent, field: HTMLTextAreaElement): void {
  field.dispatchEvent(
    new KeyboardEvent('keydown', { key, shiftKey, ctrlKey, metaKey, bubbles: true, cancelable: true }),
  )
}
