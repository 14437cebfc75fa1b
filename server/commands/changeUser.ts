import * as z from 'zod/mini'
import { UserUpdate } from '#contract/accounts.ts'
import { changesIn } from './changes.ts'
import { type Command, EXIT } from './command.ts'
import { withAccounts } from './withAccounts.ts'

/** No password: everybody on the machine can read arguments (see reset-password). */
const Changes = z.omit(UserUpdate, { password: true })

export const changeUser: Command = {
  name: 'change-user',
  usage: '<user name> <changes>',
  summary:
    'Changes an account, by JSON such as {"is_active": false}, {"is_superuser": true} or {"nickname": "Lin"}, and prints it.',
  async run({ words: [username = '', changes = ''] }, terminal) {
    const fields = changesIn(Changes, changes)
    const { user } = await withAccounts(terminal, async accounts =>
      accounts.users.update((await accounts.readNamed(username)).id, fields),
    )
    const { setting: _setting, ...account } = user
    terminal.say(JSON.stringify(account, null, 2))
    return EXIT.good
  },
}
