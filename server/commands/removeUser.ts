import { type Command, EXIT } from './command.ts'
import { withAccounts } from './withAccounts.ts'

export const removeUser: Command = {
  name: 'remove-user',
  usage: '<user name>',
  summary:
    'Removes an account for good: sessions end at once, asks a little later; conversations stay for administrators.',
  async run({ words: [username = ''] }, terminal) {
    await withAccounts(terminal, async accounts => accounts.users.remove((await accounts.readNamed(username)).id))
    terminal.say(`${username} is removed.`)
    return EXIT.good
  },
}
