import { SOURCE_LIST } from '#server/sources/list/list.ts'
import { NO_SOURCES } from '#server/sources/noSources.testing.ts'
import { webAsks } from '#server/sources/openai_web/asks.ts'
import type { SourceObject, Sources } from '#server/sources/source.ts'

/** The sources that there are, with their traits and what asking leaves to them. */
export function someSources(): Sources {
  const all = SOURCE_LIST.map((definition): SourceObject => ({
    ...definition,
    ...(definition.code === 'openai_web' && { asks: webAsks({ accountsWith: () => Promise.resolve(new Set()) }) }),
  }))
  return { ...NO_SOURCES, all, of: code => all.find(source => source.code === code) ?? NO_SOURCES.of(code) }
}
