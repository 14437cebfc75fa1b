import type { Code, Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types'
import { CONTEXT, isFormula, isProseBetween } from './isFormula.ts'
import {
  BACKSLASH,
  character,
  CLOSING_BRACKETS,
  closingMark,
  DOLLAR,
  formulaText,
  isEnd,
  takeLineEnding,
} from './mathTokens.ts'

/**
 * Closing marks that the rest of the text does not have: searched once, or a page of opening marks would take quadratic
 * time.
 */
const missingClosers = new WeakMap<TokenizeContext, Set<string>>()

function addMissing(context: TokenizeContext, closer: string): void {
  const known = missingClosers.get(context) ?? new Set()
  missingClosers.set(context, known.add(closer))
}

/** The formula up to its closing mark, one token a line, since a quote's marker may stand between two lines. */
function inside(
  context: TokenizeContext,
  effects: Effects,
  first: number,
  second: number,
  ok: State,
  nok: State,
): State {
  const name = String.fromCharCode(first, second)
  const closing = closingMark(first, second)
  let content = ''
  // In a shell `$$` is the number of a process: `echo $$ and then $$`.
  const done: State = code => {
    if (first === DOLLAR && isProseBetween(content)) return nok(code)
    effects.exit('mathematics')
    return ok(code)
  }
  const between: State = code => {
    if (code === null) {
      addMissing(context, name)
      return nok(code)
    }
    if (isEnd(code)) {
      takeLineEnding(effects, code)
      content += '\n'
      return between
    }
    return code === first ? effects.attempt(closing, done, text)(code) : text(code)
  }
  const take = (code: Code) => {
    content += character(code)
  }
  const text = formulaText(effects, code => code === first, take, between)
  return between
}

/** `\( … \)` and `\[ … \]` inside a paragraph. */
const brackets: Construct = {
  name: 'mathBrackets',
  tokenize(effects, ok, nok) {
    const open: State = code => {
      const closer = CLOSING_BRACKETS.get(code)
      if (closer === undefined || missingClosers.get(this)?.has(String.fromCharCode(BACKSLASH, closer)))
        return nok(code)
      effects.consume(code)
      effects.exit('mathematicsMarker')
      return inside(this, effects, BACKSLASH, closer, ok, nok)
    }
    return code => {
      effects.enter('mathematics')
      effects.enter('mathematicsMarker')
      effects.consume(code)
      return open
    }
  },
}

const dollars: Construct = {
  name: 'mathDollars',
  previous(code) {
    return code !== DOLLAR || this.events.at(-1)?.[1].type === 'characterEscape'
  },
  tokenize(effects, ok, nok) {
    const before = precedingText(this)
    const second: State = code => {
      if (code === DOLLAR) {
        effects.consume(code)
        return third
      }
      effects.exit('mathematicsMarker')
      return singleDollar(before, effects, ok, nok)(code)
    }
    const third: State = code => {
      if (code === DOLLAR || missingClosers.get(this)?.has('$$')) return nok(code)
      effects.exit('mathematicsMarker')
      return inside(this, effects, DOLLAR, DOLLAR, ok, nok)(code)
    }
    return code => {
      effects.enter('mathematics')
      effects.enter('mathematicsMarker')
      effects.consume(code)
      return second
    }
  },
}

export const mathInText: Extension = { text: { [DOLLAR]: dollars, [BACKSLASH]: brackets } }

/** The end of what stands on the line before this place. */
function precedingText(context: TokenizeContext): string {
  const { previous } = context
  const end = context.now()
  const from = Math.max(0, end._bufferIndex - CONTEXT)
  // At the start of a line, or behind a tab.
  if (end._bufferIndex <= 0) return character(previous)
  return context.sliceSerialize({ start: { ...end, _bufferIndex: from }, end })
}

const TICK = 96 // `

/** From after a single `$` to the next. Code takes precedence, so a formula contains no backtick. */
function singleDollar(before: string, effects: Effects, ok: State, nok: State): State {
  let content = ''
  const take = (code: Code) => {
    content += character(code)
  }
  const between: State = code => {
    if (code === null || code === TICK) return nok(code)
    if (code === DOLLAR) {
      effects.enter('mathematicsMarker')
      effects.consume(code)
      effects.exit('mathematicsMarker')
      return after
    }
    if (isEnd(code)) {
      takeLineEnding(effects, code)
      content += '\n'
      return between
    }
    return text(code)
  }
  const text = formulaText(effects, code => code === DOLLAR || code === TICK, take, between)
  const after: State = code => {
    if (!isFormula(content, before, character(code))) return nok(code)
    effects.exit('mathematics')
    return ok(code)
  }
  return code => (isEnd(code) ? nok(code) : between(code))
}
