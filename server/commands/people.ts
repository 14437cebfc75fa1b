import { systemClock } from '#server/foundation/clock.ts'
import { erase } from '#server/users/administration/erasing.ts'
import { exportPerson, isFree } from '#server/users/administration/exporting.ts'
import { type Command, CommandFailure, EXIT } from './command.ts'
import { readStorage } from './storage.ts'
import { withUsers } from './withUsers.ts'
import { withSources } from './withSources.ts'

export const exportUser: Command = {
  name: 'export-user',
  usage: '<user name> <folder>',
  summary:
    'Writes everything that is stored of a person into a new folder: account, limits, counts, conversations, asks and files; no password and no key.',
  async run({ words: [username = '', folder = ''] }, terminal) {
    if (!(await isFree(folder))) throw new CommandFailure(`There is something in ${folder} already.`)
    const { conversations, asks, files, missing_files } = await withUsers(terminal, (users, { open, data_dir }) =>
      exportPerson(username, folder, { open, users, data_dir, now: systemClock.now() }),
    )
    terminal.say(
      `${folder} holds what is stored of ${username}: ${counted(conversations, 'conversation')}, ${counted(asks, 'ask')}, ${counted(files, 'file')}.`,
    )
    if (missing_files > 0) terminal.complain(`${counted(missing_files, 'file')} could not be found in the data folder.`)
    return EXIT.good
  },
}

export const eraseUser: Command = {
  name: 'erase-user',
  usage: '<user name> [--yes]',
  summary:
    'Removes everything of a person for good: account, sessions, limits, conversations, files and asks; the log of asks stays without their name. Asks for the name again, unless --yes is given.',
  flags: { yes: { type: 'boolean' } },
  async run({ words: [username = ''], flags }, terminal) {
    const erased = await withUsers(terminal, async (users, { open, stopAsksOf }) => {
      const user = await users.readNamed(username)
      if (flags['yes'] !== true) {
        terminal.say(
          `Everything of ${user.username} (${user.nickname}) will be gone for good. Type the user name to go on:`,
        )
        if ((await terminal.readLine()).trim() !== user.username)
          throw new CommandFailure('That was another name. Nothing was removed.')
      }
      return withSources({ storage: readStorage(terminal), open, terminal }, ({ sources }) =>
        erase(user.id, { open, users, stopAsksOf, sources }),
      )
    })
    terminal.say(
      `${username} is gone: account, sessions and settings, ${counted(erased.conversations, 'conversation')} with all messages, ${counted(erased.files, 'file')}, ${counted(erased.asks, 'ask')}, ${counted(erased.ledger_rows, 'entry', 'entries')} of the ledger.`,
    )
    terminal.say(
      `${counted(erased.log_rows, 'row')} of the log of asks ${erased.log_rows === 1 ? 'names' : 'name'} nobody now.`,
    )
    terminal.say('Backups and the server’s own log files are not touched.')
    if (erased.left_upstream.length > 0)
      terminal.complain(
        `Web accounts that cannot be asked now still show ${counted(erased.left_upstream.length, 'conversation')}, which a sync would find. Remove there: ${erased.left_upstream.join(', ')}`,
      )
    return EXIT.good
  },
}

const counted = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`
