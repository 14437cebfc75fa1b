import type { Construct, Extension, State, TokenizeContext } from 'micromark-util-types'
import {
  BACKSLASH,
  blockLines,
  type Closer,
  closingMark,
  continuesBelow,
  DOLLAR,
  isEnd,
  isProse,
  restOfLine,
  unclosedFormulaBefore,
} from './mathTokens.ts'

/** Environments of TeX that are a formula without a mark around them. */
const BEGIN =
  /^\\begin\{((?:align(?:at|ed|edat)?|gather(?:ed)?|equation|split|multline|(?:fl|x)align|eqnarray|displaymath|[dr]?cases|array|CD|(?:[pbBvV]|small)?matrix)\*?)\}$/
const MAX_NAME_LENGTH = '\\begin{smallmatrix*}'.length

/** The name of the environment that begins on this line; null if none does, or if prose follows. */
export function environmentIn(line: string): string | null {
  const begin = line.slice(0, line.indexOf('}') + 1)
  return begin.length <= MAX_NAME_LENGTH && !isProse(line.slice(begin.length)) ? (BEGIN.exec(begin)?.[1] ?? null) : null
}

const begin = restOfLine(text => environmentIn(text) !== null)

/** Both `\begin` and `\end` are part of the formula. */
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

const environment: Construct = {
  name: 'mathEnvironment',
  concrete: true,
  tokenize(effects, ok, nok) {
    let line = ''
    const opened: State = code => {
      if (this.interrupt) return unclosedFormulaBefore(this) ? nok(code) : ok(code)
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
      return blockLines(effects, end, endingWith(end), ok)(code)
    }
    return code => (isEnd(code) ? nok(code) : effects.check(begin, opened, nok)(code))
  },
}

const OPENING = 91 // [
const CLOSING = 93 // ]

/** `$$` or `\[` at the start of a line opens a block, as a fence does. */
function blockOf(first: number, second: number, mark: [number, number]): Construct {
  const closer: Closer = mark[0] === DOLLAR ? '$$' : '\\]'
  const begin = restOfLine(text => continuesBelow(text, closer))
  const close = closingMark(...mark)
  return {
    name: 'mathBlock',
    concrete: true,
    tokenize(effects, ok, nok) {
      const opened: State = code => {
        if (!this.interrupt) return blockLines(effects, closer, close, ok)(code)
        return unclosedFormulaBefore(this) ? nok(code) : ok(code)
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

/** No character has this code. */
const NO_MARKER = -9

/**
 * Tried before a list. In an unclosed formula `+ b` is a summand: a marker that no character has keeps the list from
 * beginning.
 */
const summand: Construct = {
  tokenize(_effects, _ok, nok) {
    return code => {
      const flow = this.interrupt ? flowBefore(this) : null
      if (flow && unclosedFormulaBefore(flow)) this.containerState = { type: 'listUnordered', marker: NO_MARKER }
      return nok(code)
    }
  },
}

/** Tried before the underline of a heading, and disables it in an unclosed formula, where `=` is a relation. */
const relation: Construct = {
  tokenize(_effects, _ok, nok) {
    return code => {
      const { disable } = this.parser.constructs
      // Nothing else is disabled here.
      disable.null = unclosedFormulaBefore(this) ? ['setextUnderline'] : []
      return nok(code)
    }
  },
}

function flowBefore({ events }: TokenizeContext): TokenizeContext | null {
  return events.findLast(([, { type }]) => type === 'chunkFlow')?.[1]._tokenizer ?? null
}

const forEach = (characters: string, construct: Construct) =>
  Object.fromEntries([...characters].map(character => [character.charCodeAt(0), construct]))

export const mathInFlow: Extension = {
  document: forEach('*+-0123456789', summand),
  flow: {
    ...forEach('=-', relation),
    [DOLLAR]: blockOf(DOLLAR, DOLLAR, [DOLLAR, DOLLAR]),
    [BACKSLASH]: [blockOf(BACKSLASH, OPENING, [BACKSLASH, CLOSING]), environment],
  },
}
