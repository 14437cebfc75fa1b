import { base } from './008-base.ts'
import * as from9To14 from './009-to-014.ts'
import * as from15To25 from './015-to-025.ts'
import * as from26To31 from './026-to-031.ts'
import { instructionsMigration } from './032-instructions.ts'
import { filesOfAnySource } from './033-files-of-any-source.ts'
import { learnedCapabilities } from './034-learned-capabilities.ts'
import { tokenAccounts } from './035-token-accounts.ts'
import { plansMigration } from './036-plans.ts'
import { auditMigration } from './038-audit.ts'
import { usageAndPrices } from './037-usage-and-prices.ts'
import { invitationsMigration } from './041-invitations.ts'
import { keeping } from './039-keeping.ts'
import { usageRequests } from './040-usage-requests.ts'
import { usageMonths } from './046-usage-months.ts'
import { quietAsks } from './049-quiet-asks.ts'
import { shareGifts } from './050-share-gifts.ts'
import { accountWindows } from './047-account-windows.ts'
import { keepRequests } from './051-keep-requests.ts'
import { pushNotices } from './055-push-notices.ts'
import { keysMigration } from './056-keys.ts'
import { sharesMigration } from './048-shares.ts'
import { ledgerCurrency } from './052-ledger-currency.ts'
import { dialectsMigration } from './057-dialects.ts'
import { sessionProofs } from './061-session-proofs.ts'
import { requestsOfTools } from './058-requests-of-tools.ts'
import { identityProviders } from './062-identity-providers.ts'
import type { Migration } from './migration.ts'

/** In the order they are applied. */
export const MIGRATIONS: readonly Migration[] = Object.values({
  base,
  ...from9To14,
  ...from15To25,
  ...from26To31,
  instructionsMigration,
  filesOfAnySource,
  learnedCapabilities,
  tokenAccounts,
  plansMigration,
  auditMigration,
  usageAndPrices,
  invitationsMigration,
  keeping,
  usageRequests,
  usageMonths,
  quietAsks,
  shareGifts,
  accountWindows,
  keepRequests,
  pushNotices,
  keysMigration,
  sharesMigration,
  ledgerCurrency,
  dialectsMigration,
  sessionProofs,
  requestsOfTools,
  identityProviders,
}).toSorted((a, b) => a.version - b.version)
