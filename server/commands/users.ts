import { UserCreate } from '#contract/users.ts'
import { generatedPassword } from '#server/users/passwords.ts'
import { checked } from './changes.ts'
import { type Command, EXIT, type Terminal } from './command.ts'
import { withUsers } from './withUsers.ts'

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
