/** The messages, whose text is copied; what stands around them is not. */
const MESSAGES = 'article[data-message-id]'
const FORMULA = '[data-tex]'
/** The number of a source, with its address if it has one. */
const CITATION = '[data-source]'
/** Tools, and what is drawn for the eye alone. */
const NOT_COPIED = 'button, svg, style, [aria-hidden=true], [data-not-copied]'
/** Elements that mean nothing without the one that they stand in. */
const NEEDS_PARENT = 'li, tr, td, th, thead, tbody'
const ALLOWED_ATTRIBUTES = new Set(['href', 'alt', 'start', 'colspan', 'rowspan', 'dir'])

export type Copied = { html: string; text: string }

/**
 * What is selected of messages, as it is wanted elsewhere. A browser would take along the colours of the page, which
 * leave a dark background in a document; formulas twice and in pieces, in place of their source; and lists without
 * numbers. Null where no message is selected.
 */
export function copiedSelection(selection: Selection | null, root: ParentNode = document): Copied | null {
  if (selection === null || selection.isCollapsed || selection.rangeCount === 0) return null
  const range = selection.getRangeAt(0)
  const parts = [...root.querySelectorAll(MESSAGES)].filter(message => range.intersectsNode(message))
  const copies = parts.map(message => copyOf(clipped(range, message)))
  if (copies.every(copy => copy.textContent.trim() === '')) return null
  const html = copies.map(copy => copy.innerHTML).join('')
  return { html, text: textOf(copies) }
}

/** Whole messages as they are shown, for programs that take formatted text; empty where none of them is shown. */
export function copiedMessages(ids: readonly string[], root: ParentNode = document): string {
  const copies = ids.flatMap(id => {
    const message = root.querySelector(`article[data-message-id="${CSS.escape(id)}"]`)
    if (message === null) return []
    const range = document.createRange()
    range.selectNodeContents(message)
    return [copyOf(range)]
  })
  return copies.map(copy => copy.innerHTML).join('')
}

/** The part of a range that is within an element, with whole formulas. */
function clipped(given: Range, element: Element): Range {
  const range = document.createRange()
  range.selectNodeContents(element)
  if (given.compareBoundaryPoints(Range.START_TO_START, range) > 0)
    range.setStart(given.startContainer, given.startOffset)
  if (given.compareBoundaryPoints(Range.END_TO_END, range) < 0) range.setEnd(given.endContainer, given.endOffset)
  const [first, last] = [elementOf(range.startContainer), elementOf(range.endContainer)].map(each =>
    each?.closest(FORMULA),
  )
  if (first) range.setStartBefore(first)
  if (last) range.setEndAfter(last)
  return range
}

const elementOf = (node: Node): Element | null => (node instanceof Element ? node : node.parentElement)

function copyOf(range: Range): HTMLElement {
  const { content, top } = contentOf(range)
  const copy = document.createElement('div')
  copy.append(content)
  numberFirstLists(copy, range, top)
  for (const chip of copy.querySelectorAll<HTMLElement>(CITATION)) chip.replaceWith(...citationOf(chip))
  for (const element of copy.querySelectorAll(NOT_COPIED)) element.remove()
  for (const formula of copy.querySelectorAll<HTMLElement>(FORMULA)) formula.replaceWith(sourceOf(formula))
  for (const box of copy.querySelectorAll('input')) box.replaceWith(box.checked ? '☑ ' : '☐ ')
  // Lines and colours of code are elements.
  for (const element of copy.querySelectorAll('pre, code')) element.replaceChildren(element.textContent)
  for (const element of copy.querySelectorAll('span')) element.replaceWith(...element.childNodes)
  for (const element of copy.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes])
      if (!ALLOWED_ATTRIBUTES.has(name) && !value.startsWith('data:image/')) element.removeAttribute(name)
  }
  breakLines(copy)
  return copy
}

/**
 * With the elements around it without which it would be something else; `top` is the outermost one that it comes from.
 */
function contentOf(range: Range): { content: Node; top: Element | null } {
  let top = elementOf(range.commonAncestorContainer)
  let content: Node = range.cloneContents()
  const code = top?.closest('pre') ?? top?.closest('code') ?? null
  if (code !== null) return { content: inCopyOf(code, content), top: code }
  for (let parent = top; parent !== null && needsParent(content); parent = parent.parentElement) {
    content = inCopyOf(parent, content)
    top = parent
  }
  return { content, top }
}

function needsParent(content: Node): boolean {
  const elements = content instanceof DocumentFragment ? [...content.children] : [content]
  return elements.some(element => element instanceof Element && element.matches(NEEDS_PARENT))
}

function inCopyOf(parent: Element, content: Node): Node {
  const copy = parent.cloneNode(false)
  copy.appendChild(content)
  return copy
}

/** A list that is copied from its third item on begins with 3. */
function numberFirstLists(copy: Element, range: Range, top: Element | null): void {
  const numbers: number[] = []
  for (let item = elementOf(range.startContainer)?.closest('li'); item; item = item.parentElement?.closest('li')) {
    const list = item.parentElement
    if (list instanceof HTMLOListElement && top?.contains(list) === true) numbers.unshift(numberOf(item, list))
  }
  const lists = copy.querySelectorAll('ol')
  for (const [at, number] of numbers.entries()) lists[at]?.setAttribute('start', String(number))
}

const numberOf = (item: Element, list: HTMLOListElement): number => list.start + [...list.children].indexOf(item)

function sourceOf({ dataset }: HTMLElement): string {
  const { tex = '', display } = dataset
  return display === undefined ? `$${tex}$` : `$$${tex}$$`
}

/** As in the Markdown of the answer: the number is a link. */
function citationOf({ dataset: { source = '' }, textContent }: HTMLElement): (Node | string)[] {
  const number = `[${textContent}]`
  if (source === '') return [' ', number]
  const link = document.createElement('a')
  link.href = source
  link.textContent = number
  return [' ', link]
}

/** A message shows each line end of its texts. */
function breakLines(copy: Element): void {
  const texts = document.createTreeWalker(copy, NodeFilter.SHOW_TEXT)
  const broken: Text[] = []
  while (texts.nextNode()) {
    const text = texts.currentNode
    if (text instanceof Text && text.data.includes('\n') && text.parentElement?.closest('pre') == null)
      broken.push(text)
  }
  for (const text of broken)
    text.replaceWith(
      ...text.data.split('\n').flatMap((line, at) => (at === 0 ? [line] : [document.createElement('br'), line])),
    )
}

/** As the browser would copy it, were it not for the marks of lists. It is computed from what is laid out. */
function textOf(copies: readonly HTMLElement[]): string {
  for (const item of copies.flatMap(copy => [...copy.querySelectorAll('li')]))
    (item.querySelector(':scope > p:first-child') ?? item).prepend(markOf(item))
  const page = document.createElement('div')
  page.style.cssText = 'position: fixed; left: -9999px; white-space: normal'
  page.append(...copies)
  document.body.append(page)
  const text = copies.map(copy => copy.innerText.trim()).join('\n\n')
  page.remove()
  return text
}

function markOf(item: Element): string {
  const list = item.parentElement
  return list instanceof HTMLOListElement ? `${numberOf(item, list)}. ` : '- '
}
