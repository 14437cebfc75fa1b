import { type Expression, sql, type SqlBool } from 'kysely'
import { wordsAnywhere } from '#contract/searchWords.ts'
import type { Engine } from '../database/schema/definition.ts'

/** Words that are looked for: more than a person types add nothing. */
const MAX_WORDS = 16

/**
 * Whether a folded text holds each of the words, in any order. The search for a text inside another knows no wildcards,
 * so that all characters stand for themselves.
 */
export function holdsWords(text: Expression<string | null>, words: string, engine: Engine): Expression<SqlBool>[] {
  const position = sql.raw(engine === 'sqlite' ? 'instr' : 'strpos')
  return wordsAnywhere(words)
    .slice(0, MAX_WORDS)
    .map(word => sql<SqlBool>`${position}(${text}, ${word}) > 0`)
}
