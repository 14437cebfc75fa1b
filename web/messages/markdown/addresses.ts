import type { Code, Construct, Effects, Extension, State, Token, TokenizeContext } from 'micromark-util-types'
import { isSpace } from './mathTokens.ts'

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

/** Characters of an address: what is longer is none that anybody follows. */
const LONGEST = 4_096

/** What an address has, among ASCII; whatever else comes ends it: Chinese and its marks, a quotation mark, code. */
const NOT_IN_ADDRESS = new Set([...'"<>\\`'].map(mark => mark.charCodeAt(0)))
const BEFORE_WWW = new Set([...'(*_[]~'].map(mark => mark.charCodeAt(0)))

const LETTER = /\p{L}/u
/** Letters of those who put a space behind an address. */
const WITH_SPACES =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Devanagari}]/u

const START = /^(?:https?:\/\/|(?=www\.[a-z0-9]))([a-z0-9][a-z0-9_.-]*)/i
const TRAIL = /(?:&[A-Za-z]+;|[?!.,:;*_~'\])])$/

/**
 * How many of these characters, which stand together, are an address; 0 for none. As in GFM but for what begins behind them: marks of
 * emphasis around it are none of it, and neither is `next`, which is no ASCII.
 */
export function addressLength(characters: string, before: string, next: string): number {
  const [start, domain = ''] = START.exec(characters) ?? []
  if (start === undefined) return 0
  const rest = characters.slice(start.length)
  const path = /^[/?#:@]/.test(rest) ? rest.slice(0, endOfPath(rest, before)) : ''
  const address = trimmed(start + path)
  const host = address.slice(start.length - domain.length).replace(/[/?#:@][^]*$/, '')
  if (host === '' || /_[^.]*(?:\.[^.]*)?$/.test(host)) return 0
  return rest === '' && goesOn(host, domain, next) ? 0 : address.length
}

/** Whether the name goes on in other letters, so that what is left of it leads elsewhere: `https://www.例子.com`, `https://www.bücher.example`. */
function goesOn(host: string, domain: string, next: string): boolean {
  if (WITH_SPACES.test(next)) return true
  return (
    !host.includes('.') &&
    next !== '' &&
    (domain.endsWith('.') || (host.toLowerCase() !== 'localhost' && LETTER.test(next)))
  )
}

/** Before the mark that opened in front of it. */
function endOfPath(path: string, before: string): number {
  const end = path.search(before === '*' ? /\*|~~/ : /\*\*|~~/)
  return end === -1 ? path.length : end
}

/** Marks at the end belong to the sentence, and so does a bracket that opened in front of the address. */
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

/** `https://example.org` and `www.example.org`, written bare. */
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

/** Looks how long the address is that begins here. */
function ahead(before: string, known: (length: number) => void): Construct {
  return {
    partial: true,
    tokenize(effects: Effects, ok, nok) {
      let characters = ''
      const next: State = code => {
        if (isInAddress(code) && characters.length < LONGEST) {
          characters += String.fromCharCode(code)
          // Most words with the same first letter are told apart at once.
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

/** Whether the text of a link may have begun, in which there is no other link. What was looked through once is marked, as GFM does. */
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

export const addressesInText: Extension = { text: { 72: http, 104: http, 87: www, 119: www } }
