import type { RequestedAsk, Tried } from '#server/asks/ask.ts'
import { toolRequestStore } from '#server/asks/toolRequestStore.ts'
import type { Transaction } from '#server/foundation/database/open.ts'
import { keyIdOf } from '#server/users/user.ts'

/** Milliseconds after which the same request is another question. */
const SAME_QUESTION = 60_000
/** A question is tried so many times more. */
const MAX_REPEATS = 2

type RequestState = { tried: Tried | null; is_beside: boolean }

/** What is known of a request of a tool: what was tried before of the same question, and whether it runs beside one. */
export async function readToolRequest(trx: Transaction, ask: RequestedAsk, now: number): Promise<RequestState> {
  const [key_id, relay] = [keyIdOf(ask.caller), ask.relay]
  if (relay === null || key_id === null) return { tried: null, is_beside: false }
  const store = toolRequestStore(trx)
  const { digest = null, may_run_beside = false } = relay
  const [tries, beside] = await Promise.all([
    digest === null ? [] : store.triesOf(key_id, digest, now - SAME_QUESTION),
    may_run_beside ? store.besideOf(key_id) : 1,
  ])
  return { tried: triedOf(tries), is_beside: beside === 0 }
}

type Try = Awaited<ReturnType<ReturnType<typeof toolRequestStore>['triesOf']>>[number]

function triedOf(tries: readonly Try[]): Tried | null {
  const [first] = tries
  if (first === undefined || tries.length > MAX_REPEATS) return null
  const paid = tries.reduce((sum, { first_token_time, charged }) => sum + (first_token_time === null ? 0 : charged), 0)
  const { upstream_id, round, ticket } = first
  return { paid, upstream_id, round, ticket }
}

/** The same ask, with what is known of it. */
export const withToolRequest = (ask: RequestedAsk, { tried, is_beside }: RequestState): RequestedAsk =>
  ask.relay === null ? ask : { ...ask, relay: { ...ask.relay, tried, is_beside } }

/** A question that is tried again keeps its position. */
export function positionOf(
  { relay }: Pick<RequestedAsk, 'relay'>,
  upstream_id: number,
  joined: { round: number; ticket: number },
): { round: number; ticket: number } {
  const tried = relay?.tried
  if (tried == null || tried.upstream_id !== upstream_id) return joined
  return { round: Math.min(tried.round, joined.round), ticket: Math.min(tried.ticket, joined.ticket) }
}
