import type { Construct, Extension, State } from 'micromark-util-types'
import { environment } from './mathEnvironments.ts'
import { beginning, lines } from './mathLines.ts'
import { BACKSLASH, closingMark, DOLLAR } from './mathTokens.ts'
import { type Closer, goesOnBelow, openFormulaBefore } from './openFormula.ts'

const OPENING = 91 // [
const CLOSING = 93 // ]

/** `$$` or `\[` at the start of a line opens a block, as a fence does: from then on everything is formula. */
function blockOf(first: number, second: number, mark: [number, number]): Construct {
  const closer: Closer = mark[0] === DOLLAR ? '$$' : '\\]'
  const begin = beginning(text => goesOnBelow(text, closer))
  const close = closingMark(...mark)
  return {
    name: 'mathBlock',
    concrete: true,
    tokenize(effects, ok, nok) {
      const opened: State = code => {
        if (!this.interrupt) return lines(effects, closer, close, ok)(code)
        return openFormulaBefore(this) ? nok(code) : ok(code)
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
    [BACKSLASH]: [blockOf(BACKSLASH, OPENING, [BACKSLASH, CLOSING]), environment],
  },
}
