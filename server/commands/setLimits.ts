import { UserSettingUpdate } from '#contract/limits.ts'
import { parseJson } from '#server/foundation/json.ts'
import { checked } from './changes.ts'
import { type Command, EXIT } from './command.ts'
import { withWholeTimes } from './limitTimes.ts'
import { withAccounts } from './withAccounts.ts'

export const setLimits: Command = {
  name: 'set-limits',
  usage: '<user name> <changes>',
  summary:
    'Sets what somebody may ask, by JSON of the fields that change, such as {"openai_api": {"total_ask_count": 100, "valid_until": "2026-12-31"}}, and prints it.',
  async run({ words: [username = '', changes = ''] }, terminal) {
    const given = parseJson(changes, 'changes')
    const { setting } = await withAccounts(terminal, async (accounts, { portal }) => {
      const update = checked(UserSettingUpdate, withWholeTimes(given, portal.time_zone))
      await accounts.changeSetting((await accounts.readNamed(username)).id, update)
      return accounts.readNamed(username)
    })
    terminal.say(JSON.stringify(setting, null, 2))
    return EXIT.good
  },
}
