import { base } from './008-base.ts'
import { jobsMigration } from './009-jobs.ts'
import { upstreams } from './010-upstreams.ts'
import { searchQueue } from './011-search-queue.ts'
import { whoSetCredentials } from './012-who-set-credentials.ts'
import { statistics } from './013-statistics.ts'
import { usersAtScale } from './014-users-at-scale.ts'
import { hiddenConversations } from './015-hidden-conversations.ts'
import { conversationsAtUpstreams } from './016-conversations-at-upstreams.ts'
import { disabledPlugins } from './017-disabled-plugins.ts'
import { conversationsFoundByUpstreams } from './018-conversations-found-by-upstreams.ts'
import { usedFiles } from './019-used-files.ts'
import { whoSetKeys } from './020-who-set-keys.ts'
import { peopleWithoutAccents } from './021-people-without-accents.ts'
import { conversationsUnknownUpstream } from './022-conversations-unknown-upstream.ts'
import { textsFoldedFurther } from './023-texts-folded-further.ts'
import { unfinishedDeletions } from './024-unfinished-deletions.ts'
import { learnedContexts } from './025-learned-contexts.ts'
import { mayAndUsed } from './026-may-and-used.ts'
import { coolingModels } from './027-cooling-models.ts'
import { asksWithoutConversation } from './028-asks-without-conversation.ts'
import { oneKindOfUpstream } from './029-one-kind-of-upstream.ts'
import { oneSearchIndex } from './030-one-search-index.ts'
import { capabilitiesOfModels } from './031-capabilities-of-models.ts'
import { learnedCapabilities } from './034-learned-capabilities.ts'
import type { Migration } from './migration.ts'

/** In the order they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  base,
  jobsMigration,
  upstreams,
  searchQueue,
  whoSetCredentials,
  statistics,
  usersAtScale,
  hiddenConversations,
  conversationsAtUpstreams,
  disabledPlugins,
  conversationsFoundByUpstreams,
  usedFiles,
  whoSetKeys,
  peopleWithoutAccents,
  conversationsUnknownUpstream,
  textsFoldedFurther,
  unfinishedDeletions,
  learnedContexts,
  mayAndUsed,
  coolingModels,
  asksWithoutConversation,
  oneKindOfUpstream,
  oneSearchIndex,
  capabilitiesOfModels,
  learnedCapabilities,
]
