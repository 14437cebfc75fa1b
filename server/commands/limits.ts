import { UserSettingUpdate } from '#contract/limits.ts'
import { parseJson } from '#server/foundation/json.ts'
import { checked } from './changes.ts'
import { type Command, EXIT } from './command.ts'
import { withUsers } from './withUsers.ts'

const EXAMPLE = '{"openai_api": {"total_ask_count": 100, "valid_until": "2026-12-31"}}'

export const setLimits: Command = {
  name: 'set-limits',
  usage: '<user name> <changes>',
  summary: `Sets what somebody may ask, by JSON of the fields that change, such as ${EXAMPLE}, and prints it.`,
  example: EXAMPLE,
  async run({ words: [username = '', changes = ''] }, terminal) {
    const given = parseJson(changes, 'changes')
    const { setting } = await withUsers(terminal, async users => {
      const update = checked(UserSettingUpdate, given)
      await users.changeSetting((await users.readNamed(username)).id, update)
      return users.readNamed(username)
    })
    terminal.say(JSON.stringify(setting, null, 2))
    return EXIT.good
  },
}
