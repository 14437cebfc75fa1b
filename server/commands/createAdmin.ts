import { type Command, EXIT } from './command.ts'
import { readPassword, PASSWORD_FLAG } from './readPassword.ts'
import { withAccounts } from './withAccounts.ts'

export const createAdmin: Command = {
  name: 'create-admin',
  usage: '<user name> [--password-stdin]',
  summary: 'Makes an administrator without limits, and prints the password unless it was given.',
  flags: PASSWORD_FLAG,
  async run({ words: [username = ''], flags }, terminal) {
    const given = await readPassword(flags, terminal)
    const generated = await withAccounts(terminal, accounts => accounts.createAdmin(username, given), { make: true })
    terminal.say(`${username} is an administrator.`)
    if (generated !== null) terminal.say(`Password: ${generated}`)
    return EXIT.good
  },
}
