import type { UserReadAdmin } from '#contract/accounts.ts'
import { type Command, EXIT } from './command.ts'
import { columns } from './columns.ts'
import { withAccounts } from './withAccounts.ts'

const HEAD = ['id', 'user name', 'nickname', 'role', 'state', 'last active']

export const listUsers: Command = {
  name: 'list-users',
  usage: '',
  summary: 'Lists the accounts.',
  async run(_asked, terminal) {
    const users = await withAccounts(terminal, accounts => accounts.listUsers())
    for (const line of columns([HEAD, ...users.map(rowOf)])) terminal.say(line)
    return EXIT.good
  },
}

function rowOf({ id, username, nickname, is_superuser, is_active, last_active_time }: UserReadAdmin): string[] {
  return [
    String(id),
    username,
    nickname,
    is_superuser ? 'administrator' : 'user',
    is_active ? 'active' : 'deactivated',
    last_active_time ?? 'never',
  ]
}
