import { type Command, EXIT } from './command.ts'
import { NEWEST_SCHEMA, schemaOf } from '#server/foundation/database/schemaVersion.ts'
import { openStorage, readStorage } from './storage.ts'

export const migrate: Command = {
  name: 'migrate',
  usage: '',
  summary:
    'Brings the database up to date; make a backup first. A start does the same, unless data.run_migration is off.',
  async run(_asked, terminal) {
    const storage = readStorage(terminal)
    const before = await openStorage(storage, { migrate: false })
    const found = await schemaOf(before).finally(() => before.close())
    const after = await openStorage(storage, { migrate: true })
    await after.close()
    terminal.say(
      found === NEWEST_SCHEMA
        ? `The database is up to date: schema ${found}.`
        : `The database went from schema ${found} to schema ${NEWEST_SCHEMA}.`,
    )
    return EXIT.good
  },
}
