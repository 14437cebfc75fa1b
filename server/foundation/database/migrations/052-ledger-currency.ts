import { tableDefinition, type Table } from '../schema/definition.ts'
import { type Migration, text } from './migration.ts'

/** As it was made then. */
const made: Table = { columns: { ledger: text, currency: text }, primaryKey: ['ledger'] }

/** In which currency costs are kept: amounts have none. */
export const ledgerCurrency: Migration = {
  version: 52,
  name: '052-ledger-currency',
  statements: engine => tableDefinition(engine, 'ledger_currency', made),
}
