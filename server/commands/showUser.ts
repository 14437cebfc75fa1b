import { type Command, EXIT } from './command.ts'
import { withAccounts } from './withAccounts.ts'

export const showUser: Command = {
  name: 'show-user',
  usage: '<user name>',
  summary: 'Prints an account with its limits, as JSON.',
  async run({ words: [username = ''] }, terminal) {
    const user = await withAccounts(terminal, accounts => accounts.readNamed(username))
    terminal.say(JSON.stringify(user, null, 2))
    return EXIT.good
  },
}
