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
