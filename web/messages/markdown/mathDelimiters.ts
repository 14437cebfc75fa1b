import type { Construct, Effects, Extension, State, TokenizeContext } from 'micromark-util-types'
import { isProseBetween } from './formulaOrNot.ts'
import { lone } from './loneDollars.ts'
import { BACKSLASH, character, CLOSING_BRACKETS, closingMark, DOLLAR, isEnd, takeLineEnding } from './mathTokens.ts'

/**
 * Contents without a closing delimiter: the next opening one need not search to the end again, or a page of opening delimiters
 * would take quadratic time.
 */
const soughtInVain = new WeakMap<TokenizeContext, Set<string>>()

function failed(context: TokenizeContext, closer: string): void {
  const known = soughtInVain.get(context) ?? new Set()
  soughtInVain.set(context, known.add(closer))
}

/** The inside up to the closer, one token a line, since a quote's marker may stand between two lines. */
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
  // Two dollar signs are also the number of a process: `echo $$ and then $$`.
  const done: State = code => {
    if (first === DOLLAR && isProseBetween(content)) return nok(code)
    effects.exit('mathematics')
    return ok(code)
  }
  const between: State = code => {
    if (code === null) {
      failed(context, name)
      return nok(code)
    }
    if (isEnd(code)) {
      takeLineEnding(effects, code)
      content += '\n'
      return between
    }
    return code === first ? effects.attempt(closing, done, enterValue)(code) : enterValue(code)
  }
  const enterValue: State = code => {
    effects.enter('mathematicsValue')
    return take(code)
  }
  const take: State = code => {
    effects.consume(code)
    content += character(code)
    return code === BACKSLASH ? escaped : value
  }
  const escaped: State = code =>
    isEnd(code) ? value(code) : (effects.consume(code), (content += character(code)), value)
  const value: State = code => {
    if (!isEnd(code) && code !== first) return take(code)
    effects.exit('mathematicsValue')
    return between(code)
  }
  return between
}

/** `\( … \)` and `\[ … \]` inside a paragraph. */
const brackets: Construct = {
  name: 'mathBrackets',
  tokenize(effects, ok, nok) {
    const open: State = code => {
      const closer = CLOSING_BRACKETS.get(code)
      if (closer === undefined || soughtInVain.get(this)?.has(String.fromCharCode(BACKSLASH, closer))) return nok(code)
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
    const before = this.previous
    const second: State = code => {
      if (code === DOLLAR) {
        effects.consume(code)
        return third
      }
      effects.exit('mathematicsMarker')
      return lone(before, effects, ok, nok)(code)
    }
    const third: State = code => {
      if (code === DOLLAR || soughtInVain.get(this)?.has('$$')) return nok(code)
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
