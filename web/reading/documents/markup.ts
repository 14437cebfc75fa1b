import { Unreadable } from '../unreadable.ts'
import { ENTITIES } from './entities.ts'

/** A piece of XML or HTML. Names are without their namespaces. */
export type Token =
  | { kind: 'open'; name: string; attributes: string; isEmpty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

/** Elements of HTML without content. */
const VOID = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '))
/** Elements of HTML in which nothing but their own end is markup. */
const RAW = new Set(['script', 'style', 'textarea', 'title', 'noscript', 'iframe'])
/** Characters of a tag or a comment that is read in pieces. */
const MAX_TAG = 4_000_000

/**
 * Reads markup piece by piece, in one pass. It takes what it can of broken markup, knows no definitions of a document
 * itself (so that nothing can multiply or fetch), and only HTML's own entities.
 */
export function* tokensOf(chunks: Iterable<string>, isHtml = false): Generator<Token> {
  const source = bufferOf(chunks)
  for (;;) {
    const open = source.find('<')
    if (open !== 0) {
      const text = source.takeText(open)
      if (text === null) return
      yield { kind: 'text', text: withoutEntities(text) }
      continue
    }
    const tag = takeTag(source)
    if (tag === null) continue
    const token = tokenOf(tag, isHtml)
    if (token === null) continue
    yield token
    if (!isHtml || token.kind !== 'open' || token.isEmpty || !RAW.has(token.name)) continue
    const text = source.takeUntilClosing(token.name)
    if (token.name === 'textarea' || token.name === 'title') yield { kind: 'text', text: withoutEntities(text) }
  }
}

/** The value of an attribute, whatever its namespace is. */
export function attributeOf({ attributes }: { attributes: string }, name: string): string | undefined {
  if (!attributes.includes(name)) return undefined
  for (const [, key = '', double, single, bare] of attributes.matchAll(ATTRIBUTE))
    if (localName(key) === name) return withoutEntities(double ?? single ?? bare ?? '')
  return undefined
}

const ATTRIBUTE = /([^\s=/"'<>]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/g

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

type Buffer = ReturnType<typeof bufferOf>

/** The text from the reading position on; more of it is taken when it is needed. */
function bufferOf(chunks: Iterable<string>) {
  const iterator = chunks[Symbol.iterator]()
  let text = ''
  let at = 0
  let isWhole = false
  /** Takes the next chunk; false when there is none. */
  const pull = (): boolean => {
    if (isWhole) return false
    const next = iterator.next()
    if (next.done === true) isWhole = true
    else {
      if (text.length - at > MAX_TAG) throw new Unreadable('broken')
      text = text.slice(at) + next.value
      at = 0
    }
    return !isWhole
  }
  const find = (mark: string, from = 0): number => {
    for (let start = from; ;) {
      const found = text.indexOf(mark, at + start)
      if (found >= 0) return found - at
      start = Math.max(0, text.length - at - mark.length + 1)
      // Plain text is given as far as it has come.
      if (mark === '<' && text.length > at) return -1
      if (!pull()) return -1
    }
  }
  return {
    find,
    startsWith: (mark: string): boolean => {
      while (text.length - at < mark.length && pull());
      return text.startsWith(mark, at)
    },
    peek: (length: number): string => text.slice(at, at + length),
    /** The character at an offset; '' at the end. */
    charAt: (offset: number): string => {
      while (at + offset >= text.length && pull());
      return text.charAt(at + offset)
    },
    take: (length: number): string => {
      const taken = text.slice(at, at + length)
      at += taken.length
      return taken
    },
    /** Up to a tag, or all there is, with an entity as a whole; null at the end. */
    takeText: (open: number): string | null => {
      if (open < 0 && text.length === at) return null
      if (open < 0) while (/&[^;\s&]{0,12}$/.test(text.slice(-13)) && pull());
      const end = open < 0 ? text.indexOf('<', at) : at + open
      const taken = text.slice(at, end < 0 ? text.length : end)
      at += taken.length
      return taken
    },
    /** The content of a raw element; its closing tag comes next. */
    takeUntilClosing: (name: string): string => {
      const closing = new RegExp(`</${name}`, 'gi')
      while (pull());
      closing.lastIndex = at
      const end = closing.exec(text)?.index ?? text.length
      const taken = text.slice(at, end)
      at = end
      return taken
    },
  }
}

/** What stands between < and >; null for what is none, or is left out. */
function takeTag(source: Buffer): string | null {
  if (source.startsWith('<!--')) return skip(source, '-->', 4)
  if (source.startsWith('<![CDATA[')) {
    const end = source.find(']]>', 9)
    const text = source.take(end < 0 ? Infinity : end + 3)
    return `!${text.slice(9, end < 0 ? undefined : -3)}`
  }
  if (source.startsWith('<?')) return skip(source, '?>', 2)
  if (source.startsWith('<!')) return skip(source, '>', 2)
  const first = source.charAt(1)
  if (!/[a-zA-Z_/]/.test(first) && !(first > '\u007f')) {
    // A lone < is text.
    source.take(1)
    return '!<'
  }
  const length = tagLength(source)
  return source.take(length).replace(/^<|>$/g, '')
}

function skip(source: Buffer, end: string, from: number): null {
  const found = source.find(end, from)
  source.take(found < 0 ? Infinity : found + end.length)
  return null
}

/** A > within a quoted value is no end. A quote that does not follow = begins no value. */
function tagLength(source: Buffer): number {
  const end = source.find('>', 1)
  if (end < 0) return Infinity
  if (!/["']/.test(source.peek(end))) return end + 1
  let open = ''
  let previous = ''
  for (let offset = 1; offset <= MAX_TAG; offset++) {
    const character = source.charAt(offset)
    if (character === '') break
    if (open === '' && character === '>') return offset + 1
    if (open !== '' && character === open) open = ''
    else if (open === '' && previous === '=' && (character === '"' || character === "'")) open = character
    if (character.trim() !== '') previous = character
  }
  return end + 1
}

function tokenOf(tag: string, isHtml: boolean): Token | null {
  if (tag.startsWith('!')) return { kind: 'text', text: tag.slice(1) }
  const isClose = tag.startsWith('/')
  const written = /^[^\s/>]+/.exec(isClose ? tag.slice(1) : tag)?.[0] ?? ''
  if (written === '') return null
  const name = isHtml ? written.toLowerCase() : localName(written)
  if (isClose) return { kind: 'close', name }
  const isEmpty = tag.endsWith('/') || (isHtml && VOID.has(name))
  return { kind: 'open', name, attributes: tag.slice(written.length), isEmpty: isHtml ? VOID.has(name) : isEmpty }
}

export function withoutEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|(\w{2,10}));/g, (whole, decimal, hexadecimal, name) => {
    if (typeof name === 'string') return Object.hasOwn(ENTITIES, name) ? (ENTITIES[name] ?? whole) : whole
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hexadecimal), 16)
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code).toWellFormed() : ''
  })
}
