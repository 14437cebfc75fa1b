import type { Dispatcher } from 'undici'

/** A piece is sent when the next one is asked for, which may then have the same memory. */
export type StreamedContent = AsyncIterable<Uint8Array>

type Listener = { onPieceSent(): void; onAllSent(): void }

/** Content as undici asks for it: as fast as the other side takes it. */
export function sentContent(content: StreamedContent, listener: Listener): Dispatcher.DispatchOptions['body'] {
  // undici takes whatever can be iterated; its types know of streams alone.
  return watched(content, listener) as unknown as Dispatcher.DispatchOptions['body']
}

async function* watched(content: StreamedContent, { onPieceSent, onAllSent }: Listener): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    yield piece
    onPieceSent()
  }
  onAllSent()
}
