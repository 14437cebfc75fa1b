import type { Construct, Extension, TokenizeContext } from 'micromark-util-types'
import { openAfter, openFormulaBefore } from './openFormula.ts'

/** No character is this one. */
const NO_MARKER = -9

/** Tried before a list is, and leaves it no marker to begin with where `+ b` is a summand of the formula before it. */
const summand: Construct = {
  name: 'mathSummand',
  tokenize(_effects, _ok, nok) {
    return code => {
      const flow = this.interrupt ? flowBefore(this) : null
      if (flow && openAfter(lastLineOf(flow), openFormulaBefore(flow))) Object.assign(this.containerState ?? {}, { type: 'listUnordered', marker: NO_MARKER })
      return nok(code)
    }
  },
}

/** Tried before the underline of a heading is, and disables it where `=` stands in a formula. */
const relation: Construct = {
  name: 'mathRelation',
  tokenize(_effects, _ok, nok) {
    return code => {
      const { disable } = this.parser.constructs
      const others = disable.null?.filter(name => name !== UNDERLINE) ?? []
      disable.null = openFormulaBefore(this) ? [...others, UNDERLINE] : others
      return nok(code)
    }
  },
}

const UNDERLINE = 'setextUnderline'

function flowBefore({ events }: TokenizeContext): TokenizeContext | null {
  return events.findLast(([, { type }]) => type === 'chunkFlow')?.[1]._tokenizer ?? null
}

/** A line of a paragraph is taken for the head of a table until the next one has been looked at, and is no part of the paragraph before that. */
function lastLineOf({ events, sliceSerialize }: TokenizeContext): string {
  const typeOf = (at: number): string | undefined => events.at(at)?.[1].type
  if (typeOf(-3) !== 'tableRow') return ''
  const begun = events.findLastIndex(([when, token]) => when === 'enter' && token === events.at(-3)?.[1])
  const [, row] = events[begun] ?? []
  return row && typeOf(begun - 1) === 'tableHead' ? sliceSerialize(row) : ''
}

const forEach = (characters: string, construct: Construct) => Object.fromEntries([...characters].map(character => [character.charCodeAt(0), construct]))

/** A line of a formula that begins behind the text of a paragraph is that, whatever it would be in another place. */
export const mathInParagraphs: Extension = { document: forEach('*+-0123456789', summand), flow: forEach('=-', relation) }
