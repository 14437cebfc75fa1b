import { initial } from './001-initial.ts'
import { failureValues } from './002-failure-values.ts'
import { hiddenNotesNotSearched } from './003-hidden-notes-not-searched.ts'
import { indexesOfAsks } from './004-indexes-of-asks.ts'
import { appendedChunks } from './005-appended-chunks.ts'
import { indexesOfTheLedger } from './006-indexes-of-the-ledger.ts'
import { listedModels } from './007-listed-models.ts'
import { beginningsOfWords } from './008-beginnings-of-words.ts'
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
import type { Migration } from './migration.ts'

/** In the order they are applied. */
export const MIGRATIONS: readonly Migration[] = [
  initial,
  failureValues,
  hiddenNotesNotSearched,
  indexesOfAsks,
  appendedChunks,
  indexesOfTheLedger,
  listedModels,
  beginningsOfWords,
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
]
