import { subscribe } from 'node:diagnostics_channel'

/** Connections that have carried a request; one that carries another was kept, since a failed exchange closes its own. */
const used = new WeakSet<object>()

let sending: ((kept: boolean) => void) | null = null

// A dispatcher does not say which connection it takes. This channel of undici does, in the same turn in which the exchange hears that it starts.
subscribe('undici:client:sendHeaders', message => {
  // As undici documents it.
  const { socket } = message as { socket: object }
  sending?.(used.has(socket))
  sending = null
  used.add(socket)
})

/** Tells the exchange that starts just now whether it goes out on a connection that was kept from an earlier one. */
export function whenSent(tell: (kept: boolean) => void): void {
  sending = tell
}
