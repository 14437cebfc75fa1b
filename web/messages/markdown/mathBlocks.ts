import type { Construct, Effects, Extension, State } from 'micromark-util-types'
import { BACKSLASH, closingMark, DOLLAR, isEnd, isSpace, takeLineEnding } from './mathTokens.ts'
import { type Closer, goesOnBelow, inOpenFormula } from './openFormula.ts'

const OPENING = 91   // [
const CLOSING = 93   // ]

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

/** The lines of an open block, until the closing mark or the end of what holds it. */
function lines(effects: Effects, mark: [number, number], ok: State): State {
  const close = closingMark(...mark)
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
    return code === mark[0] ? effects.attempt(close, finishThenRest, enterValue)(code) : enterValue(code)
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
    if (!isEnd(code) && code !== mark[0]) return take(code)
    effects.exit('mathematicsValue')
    return line(code)
  }
  return line
}

/** What stands behind the opening mark: nothing, or the first line of a formula that is not closed on it. */
function beginning(closer: Closer): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      const text: State = code => {
        if (!isEnd(code)) {
          effects.consume(code)
          return text
        }
        return goesOnBelow(this.sliceSerialize(effects.exit('mathematicsValue')), closer) ? ok(code) : nok(code)
      }
      return code => {
        if (isEnd(code)) return ok(code)
        effects.enter('mathematicsValue')
        return text(code)
      }
    },
  }
}

/** `$$` or `\[` at the start of a line opens a block, as a fence does: from then on everything is formula. */
function blockOf(first: number, second: number, mark: [number, number]): Construct {
  const begin = beginning(mark[0] === DOLLAR ? '$$' : '\\]')
  return {
    name: 'mathBlock',
    concrete: true,
    tokenize(effects, ok, nok) {
      const opened: State = code => {
        if (!this.interrupt) return lines(effects, mark, ok)(code)
        return inOpenFormula(this) ? nok(code) : ok(code)
      }
      const afterMark: State = code => {
        if (code !== second) return nok(code)
        effects.consume(code)
        effects.exit('mathematicsMarker')
        return effects.check(begin, opened, nok)
      }
      return code => {
        effects.enter('mathematics')
        effects.enter('mathematicsMarker')
        effects.consume(code)
        return afterMark
      }
    },
  }
}

export const mathInFlow: Extension = {
  flow: {
    [DOLLAR]: blockOf(DOLLAR, DOLLAR, [DOLLAR, DOLLAR]),
    [BACKSLASH]: blockOf(BACKSLASH, OPENING, [BACKSLASH, CLOSING]),
  },
}
