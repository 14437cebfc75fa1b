import { type Command, EXIT } from './command.ts'
import { readPassword, PASSWORD_FLAG } from './readPassword.ts'
import { withAccounts } from './withAccounts.ts'

export const resetPassword: Command = {
  name: 'reset-password',
  usage: '<user name> [--password-stdin]',
  summary: 'Gives somebody a new password, prints it unless it was given, and ends their sessions.',
  flags: PASSWORD_FLAG,
  async run({ words: [username = ''], flags }, terminal) {
    const given = await readPassword(flags, terminal)
    const generated = await withAccounts(terminal, accounts => accounts.resetPassword(username, given))
    terminal.say(
      generated === null ? `${username} has the new password.` : `The new password of ${username}: ${generated}`,
    )
    terminal.say('Their sessions are ended.')
    return EXIT.good
  },
}
