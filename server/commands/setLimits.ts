import { UserSettingUpdate } from '#contract/limits.ts'
import { changesIn } from './changes.ts'
import { type Command, EXIT } from './command.ts'
import { withAccounts } from './withAccounts.ts'

export const setLimits: Command = {
  name: 'set-limits',
  usage: '<user name> <changes>',
  summary: 'Sets what somebody may ask, by JSON of the fields that change, such as {"openai_api": {"total_ask_count": 100}}, and prints it.',
  async run({ words: [username = '', changes = ''] }, terminal) {
    const update = changesIn(UserSettingUpdate, changes)
    const { setting } = await withAccounts(terminal, async accounts => {
      await accounts.changeSetting((await accounts.readNamed(username)).id, update)
      return accounts.readNamed(username)
    })
    terminal.say(JSON.stringify(setting, null, 2))
    return EXIT.good
  },
}
