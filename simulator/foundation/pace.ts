/** Result of a request for tokens: more will follow, the socket is full, or the stream has ended. */
export type Progress = 'more' | 'blocked' | 'ended'

type Runner = {
  send: (tokens: number) => Progress
  ownRate: number | undefined
  since: number
  given: number
  blocked: boolean
}

/** Milliseconds between two rounds over all streams. */
const TICK_MS = 4
/** Tokens that a stream may send in one round, so that a fast reader does not delay the others. */
const MAX_AT_ONCE = 64

export type Pace = ReturnType<typeof openPace>

/**
 * Drives all streams from one timer: a thousand streams cost one wake-up per tick. Due tokens are counted from
 * monotonic time, so that a late tick catches up and a changed clock changes nothing. Rate 0: as fast as read.
 */
export function openPace(tokens_per_second: number) {
  const runners = new Set<Runner>()
  let rate = tokens_per_second
  let timer: NodeJS.Timeout | undefined
  let immediate: NodeJS.Immediate | undefined

  const rateOf = (runner: Runner) => runner.ownRate ?? rate

  function advance(runner: Runner, tokens: number) {
    const progress = runner.send(tokens)
    runner.given += tokens
    runner.blocked = progress === 'blocked'
    if (progress === 'ended') runners.delete(runner)
  }

  function pacedRound() {
    timer = undefined
    const now = performance.now()
    for (const runner of runners) {
      if (runner.blocked || rateOf(runner) <= 0) continue
      const due = Math.floor(((now - runner.since) * rateOf(runner)) / 1_000) + 1 - runner.given
      if (due > 0) advance(runner, Math.min(due, MAX_AT_ONCE))
    }
    schedule()
  }

  function freeRound() {
    immediate = undefined
    for (const runner of runners) {
      if (!runner.blocked && rateOf(runner) <= 0) advance(runner, MAX_AT_ONCE)
    }
    schedule()
  }

  function schedule() {
    for (const runner of runners) {
      if (runner.blocked) continue
      if (rateOf(runner) > 0) timer ??= setTimeout(pacedRound, TICK_MS)
      else immediate ??= setImmediate(freeRound)
    }
  }

  return {
    /** Adds a stream; its first token is sent at once. */
    join(send: Runner['send'], ownRate?: number) {
      const runner: Runner = { send, ownRate, since: performance.now(), given: 0, blocked: false }
      runners.add(runner)
      advance(runner, 1)
      schedule()
      return {
        /** The socket accepts bytes again. */
        resume() {
          runner.blocked = false
          schedule()
        },
        leave() {
          runners.delete(runner)
        },
      }
    },

    /** Changes the common rate, for running streams as well. */
    set(tokens_per_second: number) {
      rate = tokens_per_second
      for (const runner of runners) {
        runner.since = performance.now()
        runner.given = 0
      }
      schedule()
    },

    stop() {
      runners.clear()
      clearTimeout(timer)
      clearImmediate(immediate)
    },
  }
}
