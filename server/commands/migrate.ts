import { type Command, EXIT } from './command.ts'
import { NEWEST_SCHEMA, schemaOf } from '#server/foundation/database/schemaVersion.ts'
import { openPlace, readPlace } from './place.ts'

export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary:
    'Brings the database up to date; make a backup first. A start does the same, unless data.run_migration is off.',
  async run(_asked, terminal) {
    const place = readPlace(terminal)
    const before = await openPlace(place, { migrate: false })
    const found = await schemaOf(before).finally(() => before.close())
    const after = await openPlace(place, { migrate: true })
    await after.close()
    terminal.say(
      found === NEWEST_SCHEMA
        ? `The database is up to date: schema ${found}.`
        : `The database went from schema ${found} to schema ${NEWEST_SCHEMA}.`,
    )
    return EXIT.good
  },
}
