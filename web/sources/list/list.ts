import type { Source } from '#contract/models.ts'
import { openai_api } from '../openai_api/source.ts'
import { openai_web } from '../openai_web/source.tsx'
import { type PageSource, plainSource, type ToolNames, type UsedTool } from '../source.ts'

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

const loaded = new Map<Source, ToolNames>()

/** Loads how tools are called, before the steps that name them are rendered. */
export async function loadToolNames(): Promise<void> {
  await Promise.all(
    pageSources().map(async ({ name, loadToolNames: load }) => {
      if (load !== null && !loaded.has(name)) loaded.set(name, await load())
    }),
  )
}

/** The name of a tool as far as it is known. */
export function knownToolName(source: Source, used: UsedTool): string | null {
  return loaded.get(source)?.known(used) ?? used.namespace
}

const PLAIN: ToolNames = { known: () => null, useName: ({ namespace }) => namespace }

/** A name as soon as it is known. Null as long as the name may still come. */
export function useToolName(source: Source, used: UsedTool, running: boolean): string | null {
  return (loaded.get(source) ?? PLAIN).useName(used, running)
}
