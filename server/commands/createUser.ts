import { UserCreate } from '#contract/accounts.ts'
import { generatedPassword } from '#server/accounts/passwords.ts'
import { checked } from './changes.ts'
import { type Command, EXIT } from './command.ts'
import { readPassword, PASSWORD_FLAG } from './readPassword.ts'
import { withAccounts } from './withAccounts.ts'

/** A placeholder that reaches nobody, until the person enters an address; forms of older clients accept it too. */
const NO_EMAIL = 'nobody@commons.lan'

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
      email: flags['email'] ?? NO_EMAIL,
    })
    await withAccounts(terminal, accounts => accounts.createUser(fields))
    terminal.say(`${username} has an account.`)
    if (given === null) terminal.say(`Password: ${password}`)
    return EXIT.good
  },
}
