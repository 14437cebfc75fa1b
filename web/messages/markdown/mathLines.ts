import type { Construct, Effects, State } from 'micromark-util-types'
import { BACKSLASH, isEnd, isSpace, takeLineEnding } from './mathTokens.ts'

const notLazy: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    return code => {
      if (code === null) return nok(code)
      takeLineEnding(effects, code)
      return next => (this.parser.lazy[this.now().line] ? nok(next) : ok(next))
    }
  },
}

/** What a model writes after the closing mark on the same line is a paragraph of its own, so that no text is lost. */
function rest(effects: Effects, ok: State): State {
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

/** The lines of an open block, until what closes it (with the character `first`) or the end of what holds it. */
export function lines(effects: Effects, first: number, close: Construct, ok: State): State {
  const finish: State = code => {
    effects.exit('mathematics')
    return ok(code)
  }
  const finishThenRest: State = code => {
    effects.exit('mathematics')
    return rest(effects, ok)(code)
  }
  const atLineEnd: State = code => effects.attempt(notLazy, line, finish)(code)
  const line: State = code => {
    if (isEnd(code)) return atLineEnd(code)
    return code === first ? effects.attempt(close, finishThenRest, enterValue)(code) : enterValue(code)
  }
  const enterValue: State = code => {
    effects.enter('mathematicsValue')
    return take(code)
  }
  const take: State = code => {
    effects.consume(code)
    return code === BACKSLASH ? escaped : value
  }
  const escaped: State = code => {
    if (isEnd(code)) return value(code)
    effects.consume(code)
    return value
  }
  const value: State = code => {
    if (!isEnd(code) && code !== first) return take(code)
    effects.exit('mathematicsValue')
    return line(code)
  }
  return line
}

/** What stands behind the opening mark: nothing, or the first line of a formula. */
export function beginning(isFormula: (text: string) => boolean): Construct {
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
