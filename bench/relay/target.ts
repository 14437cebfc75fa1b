import type { Usage } from '../probe.ts'

/** A target that can be asked: the upstream itself, the bare relay or the product. */
export type Target = {
  name: string
  /** Opens a connection for one person. Targets over HTTP have none before the question. */
  connect: (person: number) => Promise<Ask>
  usage: (settled?: boolean) => Promise<Usage>
}

/** Asks one question; resolves when the answer is complete. */
export type Ask = (question: string, take: (text: string) => void) => Promise<Received>

/** What the client received. */
export type Received = {
  bytes: number
  frames: number
  /** Frames per second with a part of the answer, from the first one on. */
  rate?: number
}

/** Bytes of a WebSocket frame from a server: a header of two, four or ten bytes, then the payload. */
export function frameBytes(payload: number): number {
  return payload + (payload < 126 ? 2 : payload < 65_536 ? 4 : 10)
}
