import type { Construct, State } from 'micromark-util-types'
import { beginning, lines } from './mathLines.ts'
import { isEnd } from './mathTokens.ts'
import { openFormulaBefore, isProse } from './openFormula.ts'

/** Those of TeX that are a formula by themselves, without a mark around them. */
const BEGIN =
  /^\\begin\{((?:align(?:at|ed|edat)?|gather(?:ed)?|equation|split|[dr]?cases|array|(?:[pbBvV]|small)?matrix)\*?)\}$/
const LONGEST = '\\begin{smallmatrix*}'.length

/** `\begin{align}` at the start of a line, if so it says and no sentence follows; the name, or null. */
export function environmentIn(line: string): string | null {
  const begin = line.slice(0, line.indexOf('}') + 1)
  return begin.length <= LONGEST && !isProse(line.slice(begin.length)) ? (BEGIN.exec(begin)?.[1] ?? null) : null
}

const begin = beginning(text => environmentIn(text) !== null)

/** The end is part of the formula, as the beginning is. */
function endingWith(end: string): Construct {
  return {
    partial: true,
    tokenize(effects, ok, nok) {
      let at = 0
      const next: State = code => {
        if (at === end.length) {
          effects.exit('mathematicsValue')
          return ok(code)
        }
        if (code !== end.charCodeAt(at)) return nok(code)
        effects.consume(code)
        at += 1
        return next
      }
      return code => {
        effects.enter('mathematicsValue')
        return next(code)
      }
    },
  }
}

export const environment: Construct = {
  name: 'mathEnvironment',
  concrete: true,
  tokenize(effects, ok, nok) {
    let line = ''
    const opened: State = code => {
      if (this.interrupt) return openFormulaBefore(this) ? nok(code) : ok(code)
      effects.enter('mathematics', { display: true })
      effects.enter('mathematicsValue')
      return name(code)
    }
    const name: State = code => {
      effects.consume(code)
      line += String.fromCharCode(code ?? 0)
      return code === 125 ? named : name
    }
    const named: State = code => {
      effects.exit('mathematicsValue')
      const end = `\\end{${environmentIn(line)}}`
      return lines(effects, end, endingWith(end), ok)(code)
    }
    return code => (isEnd(code) ? nok(code) : effects.check(begin, opened, nok)(code))
  },
}
