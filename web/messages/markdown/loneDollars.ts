import type { Code, Effects, State } from 'micromark-util-types'
import { BACKSLASH, DOLLAR, isEnd, takeLineEnding } from './mathTokens.ts'

const TICK = 96   // `

const CJK = /[\u2E80-\uFFEF]/
/** They end something, so what follows the mark goes on with the sentence: `100$，200$`. */
const ENDING = /^[，。、；：？！）】》」』”’]/

const character = (code: Code) => (code === null || code < 0 ? ' ' : String.fromCharCode(code))

/** `$ x $`, as Qwen writes: a formula by what stands inside, since `$ 5 and $ 6` has the same spaces. */
function isSpacedFormula(inside: string): boolean {
  if (/\\[A-Za-z]/.test(inside)) return true
  if (CJK.test(inside) || /[A-Za-z]{4}|[,.;:]$/.test(inside)) return false
  if (/\s/.test(inside)) return (/^\d/.test(inside) ? /[\^_={]/ : /[\^_={+<>|*/-]/).test(inside)
  return !/[a-z]{2}/.test(inside)
}

/** Whether what stands between two dollar signs is a formula. By Pandoc's rule: no space inside either, no digit after the second. */
export function isFormula(inside: string, before: string, after: string): boolean {
  if (/^ .* $/.test(inside)) return !/\d/.test(before + after) && isSpacedFormula(inside.trim())
  if (/\d/.test(after) || /^\s/.test(inside) || /\s/.test(inside.slice(-1))) return false
  if (ENDING.test(inside) || (/\d/.test(before) && CJK.test(inside.charAt(0)))) return false
  // Chinese has no spaces that would tell a price from what follows: `价格为$5，设$x$为数量`.
  return !(/^\d/.test(inside) && CJK.test(inside) && /[A-Za-z\\]/.test(after))
}

/** From behind a single `$` up to the next. Code binds tighter, so that a formula never holds its mark. */
export function lone(before: Code, effects: Effects, ok: State, nok: State): State {
  let inside = ''
  const take: State = code => {
    effects.consume(code)
    inside += character(code)
    return code === BACKSLASH ? escaped : value
  }
  const escaped: State = code => (isEnd(code) ? value(code) : (effects.consume(code), inside += character(code), value))
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
