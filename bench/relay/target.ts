import type { Usage } from '../probe.ts'

/** Somebody who can be asked: the upstream itself, the bare relay, or the product. */
export type Target = {
  name: string
  /** Opens a connection for one person. The upstream itself has none that is opened before the question. */
  connect: (person: number) => Promise<Ask>
  usage: (settled?: boolean) => Promise<Usage>
}

/** Asks one question; resolves when the answer is complete. */
export type Ask = (question: string, take: (text: string) => void) => Promise<Received>

/** What went over the connection to the client. */
export type Received = {
  bytes: number
  frames: number
  /** Frames a second that carried the answer; the first one begins the count. */
  rate?: number
}

/** Bytes of a WebSocket frame from a server: two, four or ten of header, then the payload. */
export function frameBytes(payload: number): number {
  return payload + (payload < 126 ? 2 : payload < 65_536 ? 4 : 10)
}
