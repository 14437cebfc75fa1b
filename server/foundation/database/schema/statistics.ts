import { table } from '../tables.ts'

/**
 * Sums that are kept, so that no plot adds up single asks and requests. Times are the beginnings of spans, whole
 * multiples of them since the epoch.
 */
export const statisticsTables = {
  /**
   * By half hour and six hours, of half hours that are over, derived from the log of asks
   * (server/statistics/statisticsJobs.ts).
   */
  ask_sums: table({
    columns: {
      span_ms: { kind: 'int' },
      start_time: { kind: 'ms' },
      source: { kind: 'text' },
      model: { kind: 'text' },
      outcome: { kind: 'text' },
      asks: { kind: 'int' },
      queueing_time: { kind: 'real' }, // seconds, summed up
      longest_queueing_time: { kind: 'real' },
      ask_time: { kind: 'real' },
    },
    primaryKey: ['span_ms', 'start_time', 'source', 'model', 'outcome'],
  }),

  request_sums: table({
    columns: {
      span_ms: { kind: 'int' },
      start_time: { kind: 'ms' },
      route_path: { kind: 'text' },
      method: { kind: 'text' },
      requests: { kind: 'int' },
      elapsed_ms: { kind: 'real' }, // summed up
    },
    primaryKey: ['span_ms', 'start_time', 'route_path', 'method'],
  }),

  /** Who made them; 0 where nobody was signed in. */
  request_people: table({
    columns: {
      span_ms: { kind: 'int' },
      start_time: { kind: 'ms' },
      route_path: { kind: 'text' },
      method: { kind: 'text' },
      user_id: { kind: 'int' },
      requests: { kind: 'int' },
    },
    primaryKey: ['span_ms', 'start_time', 'route_path', 'method', 'user_id'],
  }),
}
