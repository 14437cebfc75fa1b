import type { SettingsGuard } from '#server/configuration/configuration.ts'
import { ConfigurationError } from '#server/foundation/configurationError.ts'
import type { Database, OpenDatabase } from '#server/foundation/database/open.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import { usageLedgerStore } from './usageLedger.ts'

/** The currency stays once anything has a cost in it: amounts are kept without one. */
export const currencyStays: SettingsGuard = async (trx, { before, after }) => {
  const { currency } = before.money
  if (after.money.currency === currency) return
  if (await usageLedgerStore(trx).hasCost()) throw new Refusal('currencyFixed', { currency })
  await ledgerCurrencyStore(trx).set(after.money.currency)
}

type Closing = { close(): Promise<void> }

/**
 * File and environment can say another currency while the program is not running: then it does not start, since what
 * was spent would be read as an amount of the other one, and what was `opened` is closed. A portal that had costs
 * before this was kept is believed.
 */
export async function requireLedgerCurrency(
  { database }: OpenDatabase,
  currency: string,
  opened: readonly Closing[],
): Promise<void> {
  const kept = await ledgerCurrencyStore(database).read()
  if (kept === currency) return
  if (kept !== undefined && (await usageLedgerStore(database).hasCost())) {
    for (const each of opened) await each.close()
    throw new ConfigurationError(
      `money.currency is ${currency}, but what was spent is kept in ${kept}: set it to ${kept}, in the file or the environment`,
    )
  }
  await ledgerCurrencyStore(database).set(currency)
}

/** The one row. */
const LEDGER = 'usage'

const ledgerCurrencyStore = (database: Database) => ({
  read: async (): Promise<string | undefined> =>
    (await database.selectFrom('ledger_currency').select('currency').executeTakeFirst())?.currency,
  set: (currency: string) =>
    database
      .insertInto('ledger_currency')
      .values({ ledger: LEDGER, currency })
      .onConflict(conflict => conflict.column('ledger').doUpdateSet({ currency }))
      .execute(),
})
