import type { Code, Construct, Effects, Extension, State, Token, TokenizeContext } from 'micromark-util-types'
import { isSpace } from '../math/mathTokens.ts'
import type { Link, Nodes, PhrasingContent } from 'mdast'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    literalAutolink: 'literalAutolink'
    literalAutolinkHttp: 'literalAutolinkHttp'
    literalAutolinkWww: 'literalAutolinkWww'
  }
  /** Set by GFM where no bracket is open. */
  interface Token {
    _gfmAutolinkLiteralWalkedInto?: boolean
  }
}

/** Characters of an address. */
const MAX_LENGTH = 4_096

/** ASCII that ends an address, as every other character does: Chinese, a quotation mark, code. */
const NOT_IN_ADDRESS = new Set([...'"<>\\`'].map(mark => mark.charCodeAt(0)))
const BEFORE_WWW = new Set([...'(*_[]~'].map(mark => mark.charCodeAt(0)))

const LETTER = /\p{L}/u
/** Scripts that put a space after an address. */
const WITH_SPACES =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]/u

const START = /^(?:https?:\/\/|(?=www\.[a-z0-9]))([a-z0-9][a-z0-9_.-]*)/i
const TRAIL = /(?:&[A-Za-z]+;|[?!.,:;*_~'\])])$/

/**
 * How many of these characters are an address; 0 for none. As in GFM, except that emphasis marks around the address do
 * not belong to it; `next` is the character after it if that is not ASCII.
 */
export function addressLength(characters: string, before: string, next: string): number {
  const [start, domain = ''] = START.exec(characters) ?? []
  if (start === undefined) return 0
  const rest = characters.slice(start.length)
  const path = /^[/?#:@]/.test(rest) ? rest.slice(0, endOfPath(rest, before)) : ''
  const address = trimmed(start + path)
  const host = address.slice(start.length - domain.length).replace(/[/?#:@][^]*$/, '')
  if (host === '' || /_[^.]*(?:\.[^.]*)?$/.test(host)) return 0
  return rest === '' && continuesInOtherLetters(host, domain, next) ? 0 : address.length
}

/**
 * Whether the host continues in other letters, so that its ASCII part would be another host: `https://www.例子.com`,
 * `https://www.bücher.example`.
 */
function continuesInOtherLetters(host: string, domain: string, next: string): boolean {
  if (WITH_SPACES.test(next)) return true
  return (
    !host.includes('.') &&
    next !== '' &&
    (domain.endsWith('.') || (host.toLowerCase() !== 'localhost' && LETTER.test(next)))
  )
}

/** Where emphasis that began before the address ends. */
function endOfPath(path: string, before: string): number {
  const end = path.search(before === '*' ? /\*|~~/ : /\*\*|~~/)
  return end === -1 ? path.length : end
}

/** Without trailing punctuation, and without a bracket that opened before the address. */
function trimmed(address: string): string {
  let end = address
  for (let [trail] = TRAIL.exec(end) ?? []; trail !== undefined; [trail] = TRAIL.exec(end) ?? []) {
    const opening = trail === ')' ? '(' : trail === ']' ? '[' : null
    if (opening !== null && count(end, opening) >= count(end, trail)) return end
    end = end.slice(0, -trail.length)
  }
  return end
}

const count = (text: string, character: string) => text.split(character).length - 1

/** A bare `https://example.org` or `www.example.org`. */
function address(
  isLetter: (code: Code) => boolean,
  token: 'literalAutolinkHttp' | 'literalAutolinkWww',
  previous: (code: Code) => boolean,
): Construct {
  return {
    name: 'address',
    previous,
    tokenize(effects, ok, nok) {
      const before = String.fromCharCode(this.previous ?? 0)
      let left = 0
      const known = (length: number) => {
        left = length
      }
      const take: State = code => {
        effects.consume(code)
        left -= 1
        return left > 0 ? take : taken
      }
      const taken: State = code => {
        effects.exit(token)
        effects.exit('literalAutolink')
        return ok(code)
      }
      const begin: State = code => {
        effects.enter('literalAutolink')
        effects.enter(token)
        return take(code)
      }
      return code =>
        isLetter(code) && previous(this.previous) && !isInBrackets(this)
          ? effects.check(ahead(before, known), begin, nok)(code)
          : nok(code)
    },
  }
}

/** Looks ahead for the length of the address that begins here. */
function ahead(before: string, known: (length: number) => void): Construct {
  return {
    partial: true,
    tokenize(effects: Effects, ok, nok) {
      let characters = ''
      const next: State = code => {
        if (isInAddress(code) && characters.length < MAX_LENGTH) {
          characters += String.fromCharCode(code)
          // Most words that begin with h or w are rejected here.
          if (characters.length === 4 && !/^(?:http|www\.)/i.test(characters)) return nok(code)
          effects.consume(code)
          return next
        }
        effects.exit('data')
        const length = addressLength(characters, before, code !== null && code > 127 ? String.fromCharCode(code) : '')
        known(length)
        return length > 0 ? ok(code) : nok(code)
      }
      return code => {
        effects.enter('data')
        return next(code)
      }
    },
  }
}

function isInAddress(code: Code): code is number {
  return code !== null && code > 32 && code < 127 && !NOT_IN_ADDRESS.has(code)
}

/**
 * Whether a link's text may have begun, which contains no other link. Events that were searched are marked, as GFM
 * does.
 */
function isInBrackets({ events }: TokenizeContext): boolean {
  const isOpen = ({ type, _balanced }: Token) => (type === 'labelLink' || type === 'labelImage') && !_balanced
  const found = events.findLast(([, token]) => token._gfmAutolinkLiteralWalkedInto === true || isOpen(token))?.[1]
  if (found && isOpen(found)) return true
  const last = events.at(-1)?.[1]
  if (last) last._gfmAutolinkLiteralWalkedInto = true
  return false
}

const isLetter = (letters: string) => (code: Code) => code !== null && letters.includes(String.fromCharCode(code))
const afterNoLetter = (code: Code) => code === null || !/[A-Za-z]/.test(String.fromCharCode(code))
const beforeWww = (code: Code) => code === null || code < 0 || isSpace(code) || code > 127 || BEFORE_WWW.has(code)

const http = address(isLetter('hH'), 'literalAutolinkHttp', afterNoLetter)
const www = address(isLetter('wW'), 'literalAutolinkWww', beforeWww)

export const autolinks: Extension = { text: { 72: http, 104: http, 87: www, 119: www } }

/**
 * GFM finds some bare addresses only in the finished tree, such as one after an unclosed bracket: they end by the same
 * rules. Changes the nodes.
 */
export function trimAutolinks(node: Nodes): void {
  if (!('children' in node)) return
  const children: Nodes[] = node.children
  // From the end: a link may become two nodes.
  for (const [at, child] of [...children.entries()].toReversed()) {
    const parts = child.type === 'link' ? trimmedLink(child) : null
    if (parts) children.splice(at, 1, ...parts)
    else trimAutolinks(child)
  }
}

const OTHER = /[^\x21-\x7E]|["<>\\`]/

function trimmedLink(link: Link): readonly PhrasingContent[] | null {
  const [text, more] = link.children
  if (more || link.position || text?.type !== 'text' || link.url.startsWith('mailto:')) return null
  const { value } = text
  const end = value.search(OTHER)
  const length = addressLength(end === -1 ? value : value.slice(0, end), '', end === -1 ? '' : value.charAt(end))
  if (length === value.length) return null
  if (length === 0) return [{ type: 'text', value }]
  const url = link.url.slice(0, link.url.length - (value.length - length))
  return [
    { ...link, url, children: [{ ...text, value: value.slice(0, length) }] },
    { type: 'text', value: value.slice(length) },
  ]
}
