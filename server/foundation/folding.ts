import { type Expression, sql, type SqlBool } from 'kysely'

/** Text without the differences of case and width, as it is compared and stored for searching. */
export const folded = (text: string): string => text.normalize('NFKC').toLowerCase()

/** More words than a person types to find somebody add nothing. */
const MOST_WORDS = 10

/** Whether a folded text holds each of the words, in any order. `%` and `_` are characters as any other. */
export function holdsWords(text: Expression<string>, words: string): Expression<SqlBool>[] {
  return folded(words)
    .split(/\s+/u)
    .filter(word => word !== '')
    .slice(0, MOST_WORDS)
    .map(word => sql<SqlBool>`${text} like ${`%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`} escape '\\'`)
}
