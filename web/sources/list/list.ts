import type { Source } from '#contract/models.ts'
import { openai_api } from '../openai_api/source.ts'
import { openai_web } from '../openai_web/source.tsx'
import { type PageSource, plainSource } from '../source.ts'

/** A source is one line here. */
const SOURCES: Partial<Record<Source, PageSource>> = {
  openai_web,
  openai_api,
}

export const pageSources = (): PageSource[] => Object.values(SOURCES)

/** One that is not in the list has nothing of its own: its conversations are shown, as those of any other source. */
export function pageSource(name: Source): PageSource {
  return SOURCES[name] ?? plainSource(name)
}
