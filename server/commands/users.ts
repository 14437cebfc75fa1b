import { UserCreate } from '#contract/users.ts'
import { generatedPassword } from '#server/users/passwords.ts'
import { UserSettingUpdate } from '#contract/limits.ts'
import { parseJson } from '#server/foundation/json.ts'
import { systemClock } from '#server/foundation/clock.ts'
import { keyStore } from '#server/keys/store.ts'
import { erase } from '#server/users/administration/erasing.ts'
import { writeUserExport, isFree } from '#server/users/administration/exporting.ts'
import { checked, type Command, EXIT, type Terminal, CommandFailure } from './command.ts'
import { withUsers } from './withUsers.ts'
import { readStorage } from './storage.ts'
import { withSources } from './withSources.ts'

/** A flag, and the password on stdin: everybody on the machine can read arguments. */
const PASSWORD_FLAG = { 'password-stdin': { type: 'boolean' } } as const

/** The password on stdin; null when one is to be generated. */
async function readPassword(flags: Record<string, unknown>, { readLine }: Terminal): Promise<string | null> {
  return flags['password-stdin'] === true ? readLine() : null
}

export const createUser: Command = {
  name: 'create-user',
  usage: '<user name> [--nickname …] [--email …] [--password-stdin]',
  summary: 'Makes an account that may do what new people may, and prints the password unless it was given.',
  flags: { ...PASSWORD_FLAG, nickname: { type: 'string' }, email: { type: 'string' } },
  async run({ words: [username = ''], flags }, terminal) {
    const given = await readPassword(flags, terminal)
    const password = given ?? generatedPassword()
    const fields = checked(UserCreate, {
      username,
      password,
      nickname: flags['nickname'] ?? username,
      email: flags['email'],
    })
    await withUsers(terminal, users => users.createUser(fields))
    terminal.say(`${username} has an account.`)
    if (given === null) terminal.say(`Password: ${password}`)
    return EXIT.good
  },
}

export const createAdmin: Command = {
  name: 'create-admin',
  usage: '<user name> [--password-stdin]',
  summary: 'Makes an administrator without limits, and prints the password unless it was given.',
  flags: PASSWORD_FLAG,
  async run({ words: [username = ''], flags }, terminal) {
    const given = await readPassword(flags, terminal)
    const generated = await withUsers(terminal, users => users.createAdmin(username, given), { make: true })
    terminal.say(`${username} is an administrator.`)
    if (generated !== null) terminal.say(`Password: ${generated}`)
    return EXIT.good
  },
}

export const resetPassword: Command = {
  name: 'reset-password',
  usage: '<user name> [--password-stdin]',
  summary: 'Gives somebody a new password, prints it unless it was given, and ends their sessions.',
  flags: PASSWORD_FLAG,
  async run({ words: [username = ''], flags }, terminal) {
    const given = await readPassword(flags, terminal)
    const generated = await withUsers(terminal, users => users.resetPassword(username, given))
    terminal.say(
      generated === null ? `${username} has the new password.` : `The new password of ${username}: ${generated}`,
    )
    terminal.say('Their sessions are ended.')
    return EXIT.good
  },
}

const EXAMPLE = '{"openai_api": {"total_ask_count": 100, "valid_until": "2026-12-31"}}'

export const setLimits: Command = {
  name: 'set-limits',
  usage: '<user name> <changes>',
  summary: `Sets what somebody may ask, by JSON of the fields that change, such as ${EXAMPLE}, and prints it.`,
  example: EXAMPLE,
  async run({ words: [username = '', changes = ''] }, terminal) {
    const given = parseJson(changes, 'changes')
    const { setting } = await withUsers(terminal, async users => {
      const update = checked(UserSettingUpdate, given)
      await users.changeSetting((await users.readNamed(username)).id, update)
      return users.readNamed(username)
    })
    terminal.say(JSON.stringify(setting, null, 2))
    return EXIT.good
  },
}

export const exportUser: Command = {
  name: 'export-user',
  usage: '<user name> <folder>',
  summary:
    'Writes everything that is stored of a person into a new folder: account, limits, counts, conversations, asks, files, and keys without their secrets; no password.',
  async run({ words: [username = '', folder = ''] }, terminal) {
    if (!(await isFree(folder))) throw new CommandFailure(`There is something in ${folder} already.`)
    const { conversations, asks, files, missing_files } = await withUsers(terminal, (users, { open, data_dir }) =>
      writeUserExport(username, folder, {
        ...{ open, users, data_dir, now: systemClock.now() },
        keysOf: keyStore(open.database).describedOf,
      }),
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
