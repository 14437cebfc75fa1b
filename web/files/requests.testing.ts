import { onTestFinished, vi } from 'vitest'
import type { Envelope } from '#contract/envelope.ts'
import { until } from '#testing/until.ts'

/** A request with progress, which the test answers. */
class TestRequest extends EventTarget {
  readonly upload = new EventTarget()
  readonly headers: Record<string, string> = {}
  readonly made: { name: string; body: unknown }
  status = 0
  responseText = ''
  aborted = false

  constructor(all: TestRequest[]) {
    super()
    this.made = { name: '', body: null }
    all.push(this)
  }

  open(method: string, address: string): void {
    this.made.name = `${method} ${address}`
  }
  setRequestHeader(name: string, value: string): void {
    this.headers[name] = value
  }
  send(body: unknown): void {
    this.made.body = body
  }
  abort(): void {
    this.aborted = true
    this.dispatchEvent(new Event('abort'))
  }

  has(share: number): void {
    this.upload.dispatchEvent(new ProgressEvent('progress', { loaded: share * 1000, total: 1000 }))
  }
  fail(): void {
    this.dispatchEvent(new Event('error'))
  }
  answer(status: number, envelope?: Envelope): void {
    this.status = status
    this.responseText = envelope === undefined ? '' : JSON.stringify(envelope)
    this.dispatchEvent(new Event('load'))
  }
}

/** Replaces all requests with progress. */
export function takeRequests() {
  const all: TestRequest[] = []
  vi.stubGlobal('XMLHttpRequest', function () {
    return new TestRequest(all)
  })
  onTestFinished(() => {
    vi.unstubAllGlobals()
  })
  return { all, request: (at: number) => until(() => all[at] ?? Promise.reject(new Error(`no request ${at}`))) }
}
