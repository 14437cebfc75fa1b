import { describe, expect, test, vi } from 'vitest'
import { askOverSocket } from './chatSocket.ts'
import {
  accepted,
  all,
  answering,
  began,
  type Connection,
  finished,
  request,
  RESUMED_FROM,
  scripted,
  signals,
} from './scriptedSocket.testing.ts'

describe('a session that ends while an answer comes', () => {
  const taken: Connection = wire => {
    wire.onSend = () => {
      wire.emit(accepted, began)
      wire.drop(1008, 'errors.loginExpired')
    }
    wire.open()
  }
  const lost: Connection = wire => {
    wire.onSend = () => {
      wire.emit(accepted, began)
      wire.drop()
    }
    wire.open()
  }

  test('says nothing about whether the ask counts, which goes on at the server', async () => {
    const cut = { type: 'error', tip: 'errors.loginExpired', values: null, charged: null }
    expect((await all(askOverSocket(request, signals().given, scripted([taken]).connection))).at(-1)).toEqual(cut)
    expect((await all(askOverSocket(request, signals().given, scripted([lost], 'lost').connection))).at(-1)).toEqual(
      cut,
    )
  })
})

describe('a connection that was opened before', () => {
  test('carries the request at once', async () => {
    const { opened, wires } = scripted([
      wire => {
        wire.emit(accepted, began, finished)
        wire.drop(1000)
      },
    ])
    expect(await all(askOverSocket(request, signals().given, opened()))).toEqual([accepted, began, finished])
    expect(wires.map(wire => wire.sent)).toEqual([[request]])
  })

  test('that has died since is given up within seconds, and the same ask is sent over a new one', async () => {
    vi.useFakeTimers()
    try {
      const { opened, wires } = scripted([() => undefined, answering])
      const events = all(askOverSocket(request, signals().given, opened()))
      await vi.advanceTimersByTimeAsync(5_000)
      expect((await events).at(-1)).toEqual(finished)
      expect(wires.map(wire => wire.sent)).toEqual([[request], [request]])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a lost connection', () => {
  test('is resumed after the last number received, and repeated events are dropped', async () => {
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = () => {
          wire.emit(accepted, began, { n: 3, t: '三点' })
          wire.drop()
        }
        wire.open()
      },
      wire => {
        wire.onSend = () => {
          wire.emit(accepted, { n: 3, t: '点' }, { n: 4, t: '点半' }, finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    const events = await all(askOverSocket(request, signals().given, connection))
    expect(wires[1]?.sent).toEqual([RESUMED_FROM(3)])
    expect(events.flatMap(event => ('t' in event ? event.t : [])).join('')).toBe('三点半')
    expect(events.filter(event => 'type' in event && event.type === 'connection')).toEqual([
      { type: 'connection', state: 'lost', attempt: 1, blocked: false },
      { type: 'connection', state: 'open' },
    ])
  })

  test('before the question was accepted sends the same ask again', async () => {
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = () => wire.drop()
        wire.open()
      },
      answering,
    ])
    await all(askOverSocket(request, signals().given, connection))
    expect(wires.map(wire => wire.sent)).toEqual([[request], [request]])
  })

  test('is caused by a server that restarts: the question is sent again', async () => {
    const stopping = { type: 'error', tip: 'errors.serverStopping', values: null, charged: false }
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = () => {
          wire.emit(stopping)
          wire.drop(1012)
        }
        wire.open()
      },
      answering,
    ])
    expect((await all(askOverSocket(request, signals().given, connection))).at(-1)).toEqual(finished)
    expect(wires).toHaveLength(2)
  })

  test('is assumed when something is missing', async () => {
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = () => wire.emit(accepted, began, { n: 9, t: '半' })
        wire.open()
      },
      wire => {
        wire.onSend = () => {
          wire.emit(accepted, { n: 4, t: '三点半' }, finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    await all(askOverSocket(request, signals().given, connection))
    expect(wires[1]?.sent).toEqual([RESUMED_FROM(1)])
  })

  test('is assumed when the network or the user comes back', async () => {
    const script = scripted([
      wire => {
        wire.onSend = () => {
          wire.emit(accepted, began)
          script.comeBack()
        }
        wire.open()
      },
      wire => {
        wire.onSend = () => {
          wire.emit(accepted, finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    await all(askOverSocket(request, signals().given, script.connection))
    expect(script.wires[1]?.sent).toEqual([RESUMED_FROM(1)])
  })

  test('with the session lost as well ends the ask', async () => {
    const { connection } = scripted([wire => wire.drop()], 'lost')
    expect(await all(askOverSocket(request, signals().given, connection))).toEqual([
      { type: 'error', tip: 'errors.loginExpired', values: null, charged: false },
    ])
  })
})
