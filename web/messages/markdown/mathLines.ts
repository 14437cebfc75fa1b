import type { Construct, Effects, State } from 'micromark-util-types'
import { goesOnWith, type InBlock } from './openFormula.ts'
import { BACKSLASH, isEnd, isSpace, takeLineEnding } from './mathTokens.ts'

/** The line ending, if the line behind it is one of the block. */
function nextLine(known: (lazy: boolean) => InBlock): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      const next: State = code => {
        const of = known(this.parser.lazy[this.now().line] ?? false)
        if (isEnd(code) || !(of.lazy || of.blank)) return of.lazy ? nok(code) : ok(code)
        return effects.attempt(
          beginning(line => goesOnWith(line, of)),
          ok,
          nok,
        )(code)
      }
      return code => {
        if (code === null) return nok(code)
        takeLineEnding(effects, code)
        return next
      }
    },
  }
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

/** The lines of an open block, until what closes it or the end of what holds it. */
export function lines(effects: Effects, closer: string, close: Construct, ok: State): State {
  const first = closer.charCodeAt(0)
  let filled = false
  /** Whether nothing stands in the line so far. */
  let blank = false
  const next = nextLine(lazy => ({ closer, filled, blank, lazy }))
  const finish: State = code => {
    effects.exit('mathematics')
    return ok(code)
  }
  const finishThenRest: State = code => {
    effects.exit('mathematics')
    return rest(effects, ok)(code)
  }
  const atLineEnd: State = code => effects.check(next, takeEnd, finish)(code)
  const takeEnd: State = code => {
    takeLineEnding(effects, code)
    blank = true
    return line
  }
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
    if (!isSpace(code)) [filled, blank] = [true, false]
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
