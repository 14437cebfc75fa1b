import type { Relay } from '#server/asks/ask.ts'
import type { RelayForm, RelayHead, RelaySink } from '#server/providers/relay.ts'

/** What a tool gets of its answer. */
export type Relayed = {
  head: RelayHead | null
  /** All that was written. */
  text: string
  writes: number
  refused: { status: number; content_type: string; text: string } | null
}

/** A tool that takes its answer; `onWrite` holds it up. */
export function aTool(onWrite: (so_far: string) => Promise<void> | null = () => null): { to: RelaySink; got: Relayed } {
  const got: Relayed = { head: null, text: '', writes: 0, refused: null }
  const pieces: Buffer[] = []
  const to: RelaySink = {
    began(head) {
      got.head = head
    },
    write(bytes) {
      pieces.push(Buffer.from(bytes))
      got.writes += 1
      got.text = Buffer.concat(pieces).toString()
      return onWrite(got.text)
    },
    refused({ body, ...answer }) {
      got.refused = { ...answer, text: Buffer.from(body).toString() }
    },
  }
  return { to, got }
}

/** A request for an answer in chat completions. */
export const aForm = (to: RelaySink, fields: Partial<RelayForm> = {}): RelayForm => ({
  dialect: 'chat',
  body: { model: 'mine', messages: [{ role: 'user', content: 'Hello' }], stream: true },
  headers: {},
  to,
  ...fields,
})

/** What is asked when a tool asks. */
export const aRelay = (to: RelaySink, form: Partial<RelayForm> = {}, fields: Partial<Relay> = {}): Relay => ({
  forms: [aForm(to, form)],
  streamed: true,
  input_tokens: 10,
  max_output: null,
  ...fields,
})
