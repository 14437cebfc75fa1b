import { Refusal } from '#server/foundation/refusal.ts'
import { isTeamRefused, mayUseTeam } from './team.ts'
import type { AskPorts } from '../../askPorts.ts'
import type { ConversationPorts } from '../../conversationPorts.ts'
import type { SourceDependencies } from '../../source.ts'
import { beginningAtUpstream } from './beginning.ts'
import { changeJob, openChangeSending } from './changes.ts'
import { openUpstreamCopies } from './copies.ts'
import { openHiding } from './hiding.ts'
import { titleAtUpstream } from './naming.ts'
import { openReading } from './reading.ts'
import { upstreamChangeStore } from './store.ts'
import { refusalOfAsk } from './unknown.ts'

type Dependencies = SourceDependencies & { closing: AbortSignal }

/** What web accounts have of conversations, and what they do for asks in them. */
export function openConversationPorts(given: Dependencies) {
  const { open, configuration, providers, closing } = given
  const provider = providers.openai_web
  const copies = openUpstreamCopies(given)
  const ports: ConversationPorts = {
    async closedTo(user_id, rows) {
      const isOfTeam =
        user_id !== null &&
        rows.some(({ source_id }) => source_id !== null) &&
        (await mayUseTeam(open.database, configuration(), user_id))
      return ({ source_id }) => (isTeamRefused(source_id, isOfTeam) ? 'teamConversationNotAllowed' : null)
    },
    refresh: openReading({ ...given, copies }),
    noteChange: (trx, changed, part, now) => upstreamChangeStore(trx).add(changed, part, now),
    sendChanges: openChangeSending(given),
    hide: openHiding(copies),
    async makeTitle(row, message_id) {
      const copy = copies.of(row)
      if (copy === null || copy instanceof Refusal) throw copy ?? new Refusal('generateTitleFailed')
      return titleAtUpstream({ ...copy, message_id }, closing)
    },
  }
  const asks: AskPorts =
    provider === null
      ? {}
      : {
          firstParent: (at, signal) => beginningAtUpstream({ provider, ...at }, signal),
          refusalOf: (refusal, at, signal) => refusalOfAsk(refusal, { provider, ...at }, signal),
          makeTitle: (at, message_id, signal) => titleAtUpstream({ provider, ...at, message_id }, signal),
        }
  return { ports, asks, job: changeJob({ ...given, copies }) }
}
