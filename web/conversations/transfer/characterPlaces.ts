import type * as z from 'zod/mini'
import type { Citation } from '#contract/messages.ts'

export type Citations = z.infer<typeof Citation>[]

/** Places are counted in characters there, and readers here expect them so. They ascend, so that the text is counted once. */
export function inCharacters(text: string, citations: Citations): Citations {
  if (!/[\uD800-\uDBFF]/.test(text)) return citations
  let units = 0
  let characters = 0
  return citations.map(citation => {
    characters += Array.from(text.slice(units, citation.start_ix)).length
    units = citation.start_ix
    return { ...citation, start_ix: characters, end_ix: characters }
  })
}
