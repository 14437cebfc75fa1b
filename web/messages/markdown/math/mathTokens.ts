import type { Code, Construct, Effects, Event, State, Token, TokenizeContext } from 'micromark-util-types'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathematics: 'mathematics'
    mathematicsMarker: 'mathematicsMarker'
    mathematicsValue: 'mathematicsValue'
    mathematicsRest: 'mathematicsRest'
  }
  /** Set for a formula that no mark shows to be a block: an environment. */
  interface Token {
    display?: boolean
  }
}

export const DOLLAR = 36
export const BACKSLASH = 92
/** ( to ), [ to ] */
export const CLOSING_BRACKETS: ReadonlyMap<Code, number> = new Map([
  [40, 41],
  [91, 93],
])

export const isEnd = (code: Code) => code === null || code < -2
export const isSpace = (code: Code) => code === 32 || code === -1 || code === -2

/** A space for tabs, line endings and the end of the text. */
export const character = (code: Code) => (code === null || code < 0 ? ' ' : String.fromCharCode(code))

/** A closing mark of two characters. */
export function closingMark(first: number, second: number): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      const atFirst = (code: Code) => {
        if (code !== first) return nok(code)
        effects.enter('mathematicsMarker')
        effects.consume(code)
        return atSecond
      }
      const atSecond = (code: Code) => {
        if (code !== second) return nok(code)
        effects.consume(code)
        effects.exit('mathematicsMarker')
        return ok
      }
      return atFirst
    },
  }
}

export function takeLineEnding(effects: Effects, code: Code): void {
  effects.enter('lineEnding')
  effects.consume(code)
  effects.exit('lineEnding')
}

/**
 * Takes at least one character of a formula, up to a line ending or one that may close it. A backslash escapes the next
 * character.
 */
export function formulaText(
  effects: Effects,
  mayClose: (code: Code) => boolean,
  take: (code: Code) => void,
  then: State,
): State {
  const consume: State = code => {
    effects.consume(code)
    take(code)
    return code === BACKSLASH ? escaped : value
  }
  const escaped: State = code => {
    if (isEnd(code)) return value(code)
    effects.consume(code)
    take(code)
    return value
  }
  const value: State = code => {
    if (!isEnd(code) && !mayClose(code)) return consume(code)
    effects.exit('mathematicsValue')
    return then(code)
  }
  return code => {
    effects.enter('mathematicsValue')
    return consume(code)
  }
}

/** The line ending, if the line after it belongs to the block. */
function nextLine(contextOf: (lazy: boolean) => BlockState): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      const next: State = code => {
        const context = contextOf(this.parser.lazy[this.now().line] ?? false)
        if (isEnd(code) || !(context.lazy || context.blank)) return context.lazy ? nok(code) : ok(code)
        const continuation = restOfLine(line => continuesBlock(line, context))
        return effects.attempt(continuation, ok, nok)(code)
      }
      return code => {
        if (code === null) return nok(code)
        takeLineEnding(effects, code)
        return next
      }
    },
  }
}

/** Text after the closing mark on the same line becomes a paragraph of its own. */
function textAfterMark(effects: Effects, ok: State): State {
  const blank: State = code => {
    if (isSpace(code)) {
      effects.consume(code)
      return blank
    }
    effects.exit('whitespace')
    return begin(code)
  }
  const begin: State = code => {
    if (isEnd(code)) return ok(code)
    effects.enter('mathematicsRest')
    effects.enter('chunkText', { contentType: 'text' })
    return text(code)
  }
  const text: State = code => {
    if (isEnd(code)) {
      effects.exit('chunkText')
      effects.exit('mathematicsRest')
      return ok(code)
    }
    effects.consume(code)
    return text
  }
  return code => {
    if (!isSpace(code)) return begin(code)
    effects.enter('whitespace')
    return blank(code)
  }
}

/** The lines of a block, until its closing mark or the end of its container. */
export function blockLines(effects: Effects, closer: string, close: Construct, ok: State): State {
  const first = closer.charCodeAt(0)
  let filled = false
  /** Whether the line is blank so far. */
  let blank = false
  const next = nextLine(lazy => ({ closer, filled, blank, lazy }))
  const finish: State = code => {
    effects.exit('mathematics')
    return ok(code)
  }
  const finishThenRest: State = code => {
    effects.exit('mathematics')
    return textAfterMark(effects, ok)(code)
  }
  const atLineEnd: State = code => effects.check(next, takeEnd, finish)(code)
  const takeEnd: State = code => {
    takeLineEnding(effects, code)
    blank = true
    return line
  }
  const line: State = code => {
    if (isEnd(code)) return atLineEnd(code)
    return code === first ? effects.attempt(close, finishThenRest, text)(code) : text(code)
  }
  const take = (code: Code) => {
    if (!isSpace(code)) [filled, blank] = [true, false]
  }
  const text = formulaText(
    effects,
    code => code === first,
    take,
    code => line(code),
  )
  return line
}

/** The rest of the line: empty, or one that `isFormula` accepts. */
export function restOfLine(isFormula: (text: string) => boolean): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      const text: State = code => {
        if (!isEnd(code)) {
          effects.consume(code)
          return text
        }
        return isFormula(this.sliceSerialize(effects.exit('mathematicsValue'))) ? ok(code) : nok(code)
      }
      return code => {
        if (isEnd(code)) return ok(code)
        effects.enter('mathematicsValue')
        return text(code)
      }
    },
  }
}

/** The mark that closes a formula. */
export type Closer = '$$' | '\\]' | '\\)'

const MARKS = /\\[^]|`+|\$\$/g
const OPENS: ReadonlyMap<string, Closer> = new Map([
  ['$$', '$$'],
  ['\\[', '\\]'],
  ['\\(', '\\)'],
])

/**
 * Han, two words or the address of a link before the first command: a sentence about the mark, or an escaped bracket.
 */
const PROSE = /\p{Script=Han}|[A-Za-z]{2}[ \t]+[A-Za-z]|\]\(/u
const TEX = /\\[A-Za-z]|[=^_{&]/
const WORD = /[A-Za-z]{4}/
/** Lines that would begin a list or a quote are excluded: a block of formula has none. */
const SENTENCE = /^ {0,3}(?![-+*>]|\d+[.)]).*(?:\p{Script=Han}{2}|[A-Za-z]{2}[ \t]+[A-Za-z]{2})/u

/** Whether it begins like a sentence. */
export const isProse = (text: string) => PROSE.test(text.split('\\', 1)[0] ?? '')

/**
 * Whether the text after an opening mark begins a formula of several lines. One closed on its line is part of the
 * paragraph.
 */
export function continuesBelow(text: string, closer: Closer): boolean {
  if (text.trim() === '') return true
  if (text.startsWith('$') || isProse(text) || text.match(MARKS)?.some(mark => mark === closer)) return false
  // A bracket may be escaped for other reasons.
  return closer === '$$' || TEX.test(text)
}

/**
 * The closing mark of the formula that is open after this line of a paragraph; `open` is that of the one open before
 * it.
 */
export function unclosedAfter(line: string, open: Closer | null): Closer | null {
  const marks: readonly string[] = line.match(MARKS) ?? []
  let closer = open
  let start = 0
  let codeEnd = -1
  for (const [at, { 0: mark, index }] of [...line.matchAll(MARKS)].entries()) {
    if (at <= codeEnd) continue
    if (closer !== null) {
      if (mark === closer) closer = null
    } else if (mark.startsWith('`')) {
      codeEnd = marks.indexOf(mark, at + 1)
    } else {
      closer = OPENS.get(mark) ?? null
      start = index + mark.length
    }
  }
  return start > 0 && isProse(line.slice(start)) ? null : closer
}

/** The state of a block of formula before its next line. */
export type BlockState = {
  /** Its closing mark, or the end of its environment. */
  readonly closer: string
  /** It is not empty. */
  readonly filled: boolean
  /** The line before was blank. */
  readonly blank: boolean
  /** The line lacks the indent of the block's list item, or the mark of its quote. */
  readonly lazy: boolean
}

/**
 * Whether this line belongs to the block. Models write the closing mark at the margin, or forget it: a sentence after a
 * blank line ends the block, so that a missing mark does not take all the text after it.
 */
export function continuesBlock(line: string, { closer, filled, blank, lazy }: BlockState): boolean {
  if (lazy)
    return (
      (filled && closes(line.trimStart(), closer)) || !(blank || isProse(line) || (WORD.test(line) && !TEX.test(line)))
    )
  return !blank || !isSentence(line)
}

/** `$$` opens a block instead if a formula follows. */
function closes(line: string, closer: string): boolean {
  if (!line.startsWith(closer)) return false
  const rest = line.slice(closer.length)
  return closer !== '$$' || rest.trim() === '' || (!continuesBelow(rest, '$$') && !rest.includes('$$'))
}

const isSentence = (line: string) => SENTENCE.test(line) && !TEX.test(line) && !line.includes('$$')

/** How far the events of a paragraph were searched for formulas: each is searched once. */
const searched = new WeakMap<readonly Event[], { at: number; token: Token; open: Closer | null }>()

const IN_PARAGRAPH = new Set<string>(['chunkContent', 'lineEnding', 'linePrefix'])

/**
 * The closing mark of the formula that is open in the paragraph before this line: then the line does not interrupt the
 * paragraph.
 */
export function unclosedFormulaBefore(context: TokenizeContext): Closer | null {
  const { events } = context
  const known = searched.get(events)
  const typeOf = (at: number): string => events[at]?.[1].type ?? ''
  const isKnown = (at: number) => known?.at === at && events[at]?.[1] === known.token
  let from = events.findLastIndex(([, { type }]) => type === 'lineEnding')
  let head = ''
  while (!isKnown(from) && (IN_PARAGRAPH.has(typeOf(from)) || (head === '' && typeOf(from) === 'tableRow'))) {
    if (typeOf(from) === 'tableRow') {
      // Until the next line is known, a line counts as the head of a table and not yet as part of the paragraph.
      const row = events[from]?.[1]
      while (from > 0 && events[from - 1]?.[1] !== row) from -= 1
      if (!row || typeOf((from -= 2)) !== 'tableHead') return null
      head = context.sliceSerialize(row)
    }
    from -= 1
  }
  if (!isKnown(from) && typeOf(from) !== 'content') return unclosedAfter(head, null)
  let open = isKnown(from) ? (known?.open ?? null) : null
  for (const [after, [when, token]] of events.slice(from + 1).entries()) {
    if (when !== 'exit' || token.type !== 'chunkContent') continue
    open = unclosedAfter(context.sliceSerialize(token), open)
    searched.set(events, { at: from + 1 + after, token, open })
  }
  return unclosedAfter(head, open)
}
