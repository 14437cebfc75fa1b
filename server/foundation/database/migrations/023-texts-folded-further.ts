import { tableDefinition } from '../schema/definition.ts'
import { table } from '../schema/tables.ts'
import { foldTitles } from './015-hidden-conversations.ts'
import { foldPeople } from './021-people-without-accents.ts'
import type { Migration } from './migration.ts'

/** As it was made then: what the table becomes later is another migration's. */
const search_refold = table({ columns: { next_id: { kind: 'int' } } })

/**
 * The search finds Straße by strasse, and traditional Chinese by simplified. Titles and people are folded at once, messages by the job that fills
 * the index (searchReindex.ts).
 */
export const textsFoldedFurther: Migration = {
  version: 23,
  name: '023-texts-folded-further',
  statements: engine => [
    ...tableDefinition(engine, 'search_refold', search_refold),
    'insert into search_refold (next_id) select id from searched_messages order by id desc limit 1',
  ],
  async finish(trx) {
    await foldTitles(trx)
    await foldPeople(trx)
  },
}
