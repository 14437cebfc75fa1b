import type { Code, Effects, State } from 'micromark-util-types'
import { isFormula } from './formulaOrNot.ts'
import { BACKSLASH, character, DOLLAR, isEnd, takeLineEnding } from './mathTokens.ts'

const TICK = 96 // `

/** From behind a single `$` up to the next. Code binds tighter, so that a formula never holds its mark. */
export function lone(before: Code, effects: Effects, ok: State, nok: State): State {
  let inside = ''
  const take: State = code => {
    effects.consume(code)
    inside += character(code)
    return code === BACKSLASH ? escaped : value
  }
  const escaped: State = code =>
    isEnd(code) ? value(code) : (effects.consume(code), (inside += character(code)), value)
  const value: State = code => {
    if (!isEnd(code) && code !== DOLLAR && code !== TICK) return take(code)
    effects.exit('mathematicsValue')
    return between(code)
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
      inside += '\n'
      return between
    }
    effects.enter('mathematicsValue')
    return take(code)
  }
  const after: State = code => {
    if (!isFormula(inside, character(before), character(code))) return nok(code)
    effects.exit('mathematics')
    return ok(code)
  }
  return code => (isEnd(code) ? nok(code) : between(code))
}
