import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { Configuration } from '#contract/configuration/configuration.ts'
import { planStore } from '#server/policy/planStore.ts'
import { userStore } from '#server/users/store.ts'
import { testClock } from '#testing/clock.ts'
import { aDatabase } from '#testing/database.ts'
import { storedUser } from '#testing/rows.ts'
import { openKeyFinding } from './finding.ts'
import { endingOf, hashOf, newSecret } from './secret.ts'
import { keyStore } from './store.ts'

const NOW = 1_800_000_000_000
const A_KEY = {
  ...{ name: 'Laptop', limits: [], models: null, may_borrow: true, quiet_only: false, keeps_conversations: false },
  ...{ create_time: NOW, expire_time: null, revoke_time: null, last_used_time: null, last_tool: null },
}

/** Keys that hold and others, and the statements that finding one takes. */
async function someKeys() {
  const statements: string[] = []
  // A value stands in its statement.
  const open = await aDatabase(sql => void statements.push(sql.replaceAll(/'[^']*'/g, '?')))
  const { database } = open
  const owner = async (max_keys: number) => {
    const user_id = await storedUser(database)
    await planStore(database).setOf(user_id, { own_values: { max_keys } })
    return user_id
  }
  const made = async (user_id: number, fields: object = {}) => {
    const secret = newSecret()
    const stored = { ...A_KEY, secret_hash: hashOf(secret), ending: endingOf(secret), user_id, ...fields }
    await keyStore(database).insert(stored)
    return secret
  }
  const [lin, left] = [await owner(3), await owner(3)]
  await userStore(database).change(left, { is_active: false })
  const secrets = {
    good: await made(lin),
    revoked: await made(lin, { revoke_time: NOW }),
    expired: await made(lin, { expire_time: NOW }),
    'of somebody who is deactivated': await made(left),
    'of somebody whose plan has none': await made(await owner(0)),
    unknown: newSecret(),
    mistyped: '',
  }
  secrets.mistyped = `${secrets.good.slice(0, -1)}${secrets.good.endsWith('0') ? 1 : 0}`
  const configuration = Configuration.parse({})
  const log = pino({ level: 'silent' })
  const { find } = openKeyFinding({ open, clock: testClock(NOW), log, configuration: () => configuration })
  return {
    secrets,
    async taken(secret: string) {
      statements.length = 0
      const refused = await find(secret).then(
        () => null,
        ({ key }: { key: string }) => key,
      )
      return { refused, statements: [...statements] }
    },
  }
}

describe('finding whom a key asks for', () => {
  test('takes the same look-up by its hash, whether the key is unknown or holds no more', async () => {
    const { secrets, taken } = await someKeys()
    const good = await taken(secrets.good)
    expect(good).toEqual({ refused: null, statements: [expect.stringContaining('"secret_hash" = ')] })
    for (const [secret, refused] of [
      [secrets.revoked, 'keyRevoked'],
      [secrets.expired, 'keyExpired'],
      [secrets['of somebody who is deactivated'], 'keyRevoked'],
      [secrets['of somebody whose plan has none'], 'keysNotAllowed'],
      [secrets.unknown, 'keyInvalid'],
    ] as const)
      expect(await taken(secret)).toEqual({ refused, statements: good.statements })
  })
  test('takes none where the key cannot be one, which its checksum says to anybody', async () => {
    const { secrets, taken } = await someKeys()
    for (const secret of [secrets.mistyped, secrets.good.slice(1), '', 'nonsense'])
      expect(await taken(secret)).toEqual({ refused: 'keyInvalid', statements: [] })
  })
})
