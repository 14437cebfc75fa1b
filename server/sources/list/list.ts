import { type ModelCapabilities, type Source, UNKNOWN_CAPABILITIES } from '#contract/models.ts'
import { openaiApi } from '../openai_api/source.ts'
import { openaiWeb } from '../openai_web/source.ts'
import type { SourceDefinition } from '../source.ts'

/**
 * One line a source. Without its line and its folders the rest of the program is whole
 * (scripts/withoutWebAccounts.test.ts).
 */
const SOURCES = {
  openaiApi,
  openaiWeb,
}

export const SOURCE_LIST: readonly SourceDefinition[] = Object.values(SOURCES)

/** What a model is taken to take and can where nobody says. */
export const presumed = (source: Source, model: string): ModelCapabilities =>
  SOURCE_LIST.find(({ code }) => code === source)?.presumed(model) ?? UNKNOWN_CAPABILITIES
