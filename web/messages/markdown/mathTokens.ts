import type { Code, Construct, Effects } from 'micromark-util-types'

declare module 'micromark-util-types' {
  interface TokenTypeMap {
    mathematics: 'mathematics'
    mathematicsMarker: 'mathematicsMarker'
    mathematicsValue: 'mathematicsValue'
    mathematicsRest: 'mathematicsRest'
  }
  /** Of a formula that has no mark to say that it stands on its own. */
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

/** A space for what is none: a tab, the end of a line or of the text. */
export const character = (code: Code) => (code === null || code < 0 ? ' ' : String.fromCharCode(code))

/** Both characters of a closing mark, or nothing. */
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
