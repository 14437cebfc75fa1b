import { type Command, EXIT } from './command.ts'
import { withAccounts } from './withAccounts.ts'

export const endSessions: Command = {
  name: 'end-sessions',
  usage: '<user name>',
  summary: 'Signs somebody out everywhere.',
  async run({ words: [username = ''] }, terminal) {
    const ended = await withAccounts(terminal, accounts => accounts.endSessions(username))
    terminal.say(ended === 1 ? `1 session of ${username} is ended.` : `${ended} sessions of ${username} are ended.`)
    return EXIT.good
  },
}
