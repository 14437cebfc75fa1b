import type { Construct, Extension, TokenizeContext } from 'micromark-util-types'
import { openFormulaBefore } from './openFormula.ts'

/** No character is this one. */
const NO_MARKER = -9

/** Tried before a list is, and leaves it no marker to begin with where `+ b` is a summand of the formula before it. */
const summand: Construct = {
  tokenize(_effects, _ok, nok) {
    return code => {
      const flow = this.interrupt ? flowBefore(this) : null
      if (flow && openFormulaBefore(flow)) this.containerState = { type: 'listUnordered', marker: NO_MARKER }
      return nok(code)
    }
  },
}

/** Tried before the underline of a heading is, and disables it where `=` stands in a formula. */
const relation: Construct = {
  tokenize(_effects, _ok, nok) {
    return code => {
      const { disable } = this.parser.constructs
      // Nothing else is disabled here.
      disable.null = openFormulaBefore(this) ? ['setextUnderline'] : []
      return nok(code)
    }
  },
}

function flowBefore({ events }: TokenizeContext): TokenizeContext | null {
  return events.findLast(([, { type }]) => type === 'chunkFlow')?.[1]._tokenizer ?? null
}

const forEach = (characters: string, construct: Construct) =>
  Object.fromEntries([...characters].map(character => [character.charCodeAt(0), construct]))

/** A line of a formula that begins behind the text of a paragraph is that, whatever it would be in another place. */
export const mathInParagraphs: Extension = {
  document: forEach('*+-0123456789', summand),
  flow: forEach('=-', relation),
}
