import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from 'prom-client'

export type Metrics = ReturnType<typeof openMetrics>

const SECONDS_OF_A_REQUEST = [0.001, 0.005, 0.02, 0.1, 0.5, 2, 10]
const SECONDS_OF_AN_ANSWER = [0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 60, 300]

/**
 * What the process tells of itself at /metrics. Labels are names out of the code; never anything that a client sent.
 */
export function openMetrics({ ofProcess = false } = {}) {
  const registry = new Registry()
  // Memory, event loop, garbage collection: watched once in a process, and only for somebody who may read it, since the
  // watch over the event loop wakes the process a hundred times a second.
  if (ofProcess) collectDefaultMetrics({ register: registry, prefix: 'commons_' })
  return { registry, ...requestMetrics([registry]), ...socketMetrics([registry]), ...askMetrics([registry]) }
}

function requestMetrics(registers: Registry[]) {
  return {
    requests: new Histogram({
      name: 'commons_http_request_seconds',
      help: 'Requests under /api by route and code.',
      labelNames: ['method', 'route', 'code'],
      buckets: SECONDS_OF_A_REQUEST,
      registers,
    }),
    limitedRequests: new Counter({
      name: 'commons_http_limited_total',
      help: 'Requests refused for being too many.',
      registers,
    }),
    unexpectedErrors: new Counter({
      name: 'commons_unexpected_errors_total',
      help: 'Errors nobody foresaw.',
      registers,
    }),
  }
}

function socketMetrics(registers: Registry[]) {
  return {
    sockets: new Gauge({ name: 'commons_sockets', help: 'Open chat sockets.', registers }),
    refusedSockets: new Counter({
      name: 'commons_sockets_refused_total',
      help: 'Handshakes refused, by HTTP status.',
      labelNames: ['status'],
      registers,
    }),
  }
}

function askMetrics(registers: Registry[]) {
  return {
    asksRunning: new Gauge({
      name: 'commons_asks_running',
      help: 'Asks being answered.',
      labelNames: ['source'],
      registers,
    }),
    asksQueued: new Gauge({
      name: 'commons_asks_queued',
      help: 'Asks that wait for their turn.',
      labelNames: ['source'],
      registers,
    }),
    askOutcomes: new Counter({
      name: 'commons_asks_total',
      help: 'Asks by how they ended.',
      labelNames: ['source', 'outcome'],
      registers,
    }),
    upstreamFirstByte: new Histogram({
      name: 'commons_upstream_first_byte_seconds',
      help: 'From the request to the first token of the answer, a thought included.',
      labelNames: ['source'],
      buckets: SECONDS_OF_AN_ANSWER,
      registers,
    }),
    upstreamAnswer: new Histogram({
      name: 'commons_upstream_answer_seconds',
      help: 'From the request to the end of the answer.',
      labelNames: ['source'],
      buckets: SECONDS_OF_AN_ANSWER,
      registers,
    }),
  }
}
