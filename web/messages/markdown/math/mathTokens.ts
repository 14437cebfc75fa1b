import type { Code, Construct, Effects, State } from 'micromark-util-types'
import { continuesBlock, type BlockState } from './unclosedFormula.ts'

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
