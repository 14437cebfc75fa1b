import { access, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { reasonOf } from '#server/foundation/databaseErrors.ts'
import { type Command, CommandFailure, EXIT, type Terminal } from './command.ts'
import { openAsItIs, type PortalStorage, readStorage } from './storage.ts'
import { dumpPostgresql } from './postgresqlTools.ts'

export const backup: Command = {
  name: 'backup',
  usage: '<file>',
  summary: 'Writes a complete, checked copy of the database to a new file, also while the portal runs.',
  async run({ words: [given = ''] }, terminal) {
    const to = resolve(given)
    if (await exists(to)) throw new CommandFailure(`${to} is there already. A backup is never written over something.`)
    if (!(await exists(dirname(to)))) throw new CommandFailure(`There is no folder ${dirname(to)}.`)
    const storage = readStorage(terminal)
    if (storage.start.configuration.data.database_url !== null) {
      await dumpPostgresql(storage.start.configuration.data.database_url, to, terminal)
    } else {
      await copySqlite(storage, to)
    }
    terminal.say(`The backup is in ${to} (${(await stat(to)).size} bytes).`)
    sayWhatElse(storage, terminal)
    return EXIT.good
  },
}

/** Copies a database of any schema version: a backup is wanted most before an upgrade. */
async function copySqlite(storage: PortalStorage, to: string): Promise<void> {
  const open = await openAsItIs(storage)
  try {
    await open.backup(to)
  } catch (cause) {
    throw new CommandFailure(reasonOf(cause))
  } finally {
    await open.close()
  }
}

function sayWhatElse({ data_dir }: PortalStorage, { env, say }: Terminal): void {
  const key =
    env['COMMONS_SECRET_KEY'] || env['COMMONS_SECRET_KEY_FILE'] ? 'COMMONS_SECRET_KEY' : resolve(data_dir, 'secret.key')
  say(`Keep ${key} as well, elsewhere: without it the API keys in the backup have to be entered again.`)
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
