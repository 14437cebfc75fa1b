import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import { firstUpstream } from '#testing/asks.ts'
import { eachStorage } from '#testing/database.ts'
import { startPortal } from '#testing/portal.ts'

const inCurrency = (currency: string) => ({ COMMONS_MONEY_CURRENCY: currency })

eachStorage((_name, newStorage) => {
  /** A portal that is started again and again on one database. */
  async function aLedger() {
    const storage = await newStorage()
    const start = (environment: Record<string, string> = {}) => startPortal({ storage, environment })
    async function spend(environment: Record<string, string>) {
      const portal = await start(environment)
      const upstream = await firstUpstream(portal.app.services.open.database)
      const prices = [{ model: 'gpt_4', input: 10, output: 10 }]
      await portal.admin.result('PUT', `/system/upstreams/${upstream}/prices`, { prices })
      await (await portal.person()).ask('hello', { new_title: 'x' })
      await portal.close()
    }
    return { start, spend }
  }

  describe('the currency', () => {
    test('can be another one at each start as long as nothing has a cost', async () => {
      const { start } = await aLedger()
      for (const currency of ['EUR', 'CNY', 'MYR']) await (await start(inCurrency(currency))).close()
    })

    test('that file or environment changes once something has a cost keeps the program from starting, in words', async () => {
      const { start, spend } = await aLedger()
      await spend(inCurrency('CNY'))
      const refused = start(inCurrency('EUR'))
      await expect(refused).rejects.toThrow('money.currency is EUR, but what was spent is kept in CNY')
      await expect(refused).rejects.toBeInstanceOf(ConfigurationError)
      const again = await start(inCurrency('CNY'))
      expect(await again.admin.result('GET', '/usage/me')).toMatchObject({ currency: 'CNY' })
      await again.close()
    })

    test('that was set on the page while nothing had a cost is the one that stays', async () => {
      const { start, spend } = await aLedger()
      const portal = await start()
      await portal.admin.result('PUT', '/system/config', { money: { currency: 'MYR' } })
      await portal.close()
      await spend({})
      await expect(start(inCurrency('EUR'))).rejects.toThrow('kept in MYR')
      await (await start()).close()
    })
  })
})
