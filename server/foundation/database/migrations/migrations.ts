import { base } from './008-base.ts'
import * as from9To14 from './009-to-014.ts'
import * as from15To25 from './015-to-025.ts'
import * as from26To31 from './026-to-031.ts'
import { instructionsMigration } from './032-instructions.ts'
import { filesOfAnySource } from './033-files-of-any-source.ts'
import { learnedCapabilities } from './034-learned-capabilities.ts'
import { tokenAccounts } from './035-token-accounts.ts'
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
}).toSorted((a, b) => a.version - b.version)
