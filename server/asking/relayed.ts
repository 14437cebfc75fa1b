import type { AdmittedAsk } from '#server/asks/ask.ts'
import { Refusal } from '#server/foundation/refusal.ts'
import type { Metered, RelaySink } from '#server/providers/relay.ts'
import type { Upstream } from '#server/upstreams/upstream.ts'
import type { AskDependencies, AskMeter } from './dependencies.ts'
import { askUntilFree, learnFrom, type Service } from './fittingAsk.ts'
import type { LiveReply } from './liveReply.ts'
import { formFor } from './relayForms.ts'
import { outputLimit } from './reservation.ts'

/** An ask whose turn it is. */
export type Asking = {
  admitted: AdmittedAsk
  upstream: Upstream
  service: Service
  reply: LiveReply
  meter: AskMeter
  signal: AbortSignal
  /** Something of the answer may have come. */
  noteText(): void
}

/**
 * Passes the request of another tool on, and the answer back to it. What is kept of it here are counts: the reply has
 * no messages.
 */
export async function relayed(
  { upstreams, priceAt }: Pick<AskDependencies, 'upstreams' | 'priceAt'>,
  { admitted, upstream, service, reply, meter, signal, noteText }: Asking,
): Promise<void> {
  const { relay, model, create_time, reserved } = admitted
  if (relay === null) throw new Error('an ask that is no request of another tool')
  const form = formFor(relay, upstream)
  if (form === null) throw new Refusal('dialectNotSpoken')
  const { relay: pass } = service.provider
  if (pass === undefined) throw new Refusal('notSupportedBySource')
  const price = priceAt(upstream.id, model, create_time)
  const max_output_tokens = outputLimit(reserved.use, relay.input_tokens, { upstream_id: upstream.id, price })
  let hasBegun = false
  const to: RelaySink = {
    ...form.to,
    began(head) {
      hasBegun = true
      form.to.began(head)
    },
  }
  const asked = {
    form: { ...form, to },
    streamed: relay.streamed,
    max_output_tokens,
    upstream: service.upstream,
    onLimits: (limits: Parameters<typeof upstreams.noteLimits>[2]) => upstreams.noteLimits(upstream.id, model, limits),
  }
  const take = (seen: Metered) => {
    meter.received()
    reply.meter({ ...seen, sent_tokens: relay.input_tokens })
    noteText()
  }
  meter.asked()
  await askUntilFree({
    ask: () =>
      pass(asked, take, signal).catch(async (error: unknown) => {
        await learnFrom(upstreams, { upstream_id: upstream.id, upstream: service.upstream }, error)
        throw error
      }),
    hasBegun: () => hasBegun,
    signal,
  })
}
