const LF = 0x0a
const CR = 0x0d
const DONE = '[DONE]'

/** Cuts a stream into its events, each with the blank line that ends it, byte for byte. */
export function eventSplitter() {
  let held: Uint8Array[] = []
  let held_bytes = 0
  /** Of the line that has not ended: how long it is, and its first byte. */
  let line = { length: 0, first: 0 }

  function joined(last: Uint8Array): Buffer {
    const event = Buffer.concat([...held, last])
    held = []
    held_bytes = 0
    return event
  }

  return {
    /** Bytes of the event that has not ended. */
    heldBytes: () => held_bytes,

    take(chunk: Uint8Array): Buffer[] {
      const events: Buffer[] = []
      let [event_start, line_start] = [0, 0]
      for (let end = chunk.indexOf(LF); end >= 0; end = chunk.indexOf(LF, line_start)) {
        const length = line.length + end - line_start
        const first = line.length > 0 ? line.first : chunk[line_start]
        line_start = end + 1
        line = { length: 0, first: 0 }
        if (length > 1 || (length === 1 && first !== CR)) continue
        events.push(joined(chunk.subarray(event_start, line_start)))
        event_start = line_start
      }
      const length = chunk.length - line_start
      if (length > 0)
        line = { length: line.length + length, first: line.length > 0 ? line.first : (chunk[line_start] ?? 0) }
      if (event_start < chunk.length) {
        held.push(chunk.subarray(event_start))
        held_bytes += chunk.length - event_start
      }
      return events
    },

    /** What has come of an event whose blank line never came; null where there is nothing. */
    remainder: (): Buffer | null => (held_bytes === 0 ? null : joined(new Uint8Array())),
  }
}

/** What an event says: its data, that the stream is over, or nothing, as a comment does. */
export function dataOf(event: Buffer): { data: string; is_done: boolean } | null {
  const text = event.toString()
  const lines = text.split(/\r?\n/).filter(line => line.startsWith('data:'))
  if (lines.length === 0) return null
  const data = lines.map(line => line.slice(line[5] === ' ' ? 6 : 5)).join('\n')
  return { data, is_done: data.trim() === DONE }
}
