import { describe, expect, test } from 'vitest'
import type { ChatEvent } from './chatEvents.ts'
import { askOverSocket, followAsk } from './chatSocket.ts'
import {
  accepted,
  all,
  answering,
  ask_id,
  began,
  finished,
  request,
  RESUMED_FROM,
  scripted,
  signals,
} from './scriptedSocket.testing.ts'

describe('an ask over the socket', () => {
  test('sends the request and yields the events of the server until it closes', async () => {
    const { connection, wires } = scripted([answering])
    expect(await all(askOverSocket(request, signals().given, connection))).toEqual([
      accepted,
      began,
      { n: 4, t: '三点半' },
      finished,
    ])
    expect(wires.map(wire => wire.sent)).toEqual([[request]])
  })

  test('yields the title that comes after the end', async () => {
    const title = { type: 'title', title: '时间' }
    const { connection } = scripted([
      wire => {
        wire.onSend = () => {
          wire.emit(accepted, finished, title)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    expect((await all(askOverSocket(request, signals().given, connection))).at(-1)).toEqual(title)
  })

  test('yields a refusal of the server and ends', async () => {
    const error = { type: 'error', tip: 'errors.queueFull', values: null, charged: false }
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = () => {
          wire.emit(error)
          wire.drop(1008, 'errors.queueFull')
        }
        wire.open()
      },
    ])
    expect(await all(askOverSocket(request, signals().given, connection))).toEqual([error])
    expect(wires).toHaveLength(1)
  })

  test('yields the reason of the close as a refusal when there was no event', async () => {
    const { connection } = scripted([
      wire => {
        wire.onSend = () => wire.drop(1008, 'errors.loginExpired')
        wire.open()
      },
    ])
    expect(await all(askOverSocket(request, signals().given, connection))).toMatchObject([
      { type: 'error', tip: 'errors.loginExpired' },
    ])
  })
})

describe('a stop', () => {
  test('is sent on the open connection, and the end is waited for', async () => {
    const { stop, given } = signals()
    const stopped = { type: 'finished', outcome: 'stopped', charged: true }
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = message => {
          if (!('stop' in message)) return wire.emit(accepted, began)
          wire.emit(stopped)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    const seen: ChatEvent[] = []
    for await (const event of askOverSocket(request, given, connection)) {
      seen.push(event)
      if ('n' in event) stop.abort()
    }
    expect(wires[0]?.sent).toEqual([request, { stop: true }])
    expect(seen.at(-1)).toEqual(stopped)
  })

  test('sent before the ask was known is sent again when it is', async () => {
    const { stop, given } = signals()
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = message => {
          if ('text_content' in message) {
            stop.abort()
            wire.emit(accepted)
          } else if (wire.sent.length === 3) {
            wire.emit({ type: 'finished', outcome: 'stopped', charged: false })
            wire.drop(1000)
          }
        }
        wire.open()
      },
    ])
    expect((await all(askOverSocket(request, given, connection))).at(-1)).toMatchObject({ outcome: 'stopped' })
    expect(wires[0]?.sent).toEqual([request, { stop: true }, { stop: true }])
  })

  test('while the connection is lost is sent after resuming', async () => {
    const { stop, given } = signals()
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = () => {
          wire.emit(accepted, began)
          stop.abort()
          wire.drop()
        }
        wire.open()
      },
      wire => {
        wire.onSend = message => {
          if (!('stop' in message)) return wire.emit(accepted)
          wire.emit(finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    await all(askOverSocket(request, given, connection))
    expect(wires[1]?.sent).toEqual([RESUMED_FROM(1), { stop: true }])
  })

  test('before the question arrived does not send it any more', async () => {
    const { stop, given } = signals()
    const { connection, wires } = scripted([
      wire => {
        stop.abort()
        wire.drop()
      },
      wire => {
        wire.onSend = message => {
          if ('resume' in message) {
            wire.emit({ type: 'error', tip: 'errors.askNotFound', values: null, charged: false })
            wire.drop(1008)
          }
        }
        wire.open()
      },
    ])
    expect((await all(askOverSocket(request, given, connection))).at(-1)).toEqual({
      type: 'finished',
      outcome: 'stopped',
      charged: false,
    })
    expect(wires[1]?.sent).toEqual([RESUMED_FROM(0)])
  })
})

describe('leaving', () => {
  test('ends the reading and says nothing to the server', async () => {
    const { leave, given } = signals()
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = () => {
          wire.emit(accepted)
          leave.abort()
        }
        wire.open()
      },
    ])
    expect(await all(askOverSocket(request, given, connection))).toEqual([accepted])
    expect(wires[0]?.sent).toEqual([request])
  })
})

describe('following an ask', () => {
  test('follows an ask that another page began', async () => {
    const { connection, wires } = scripted([
      wire => {
        wire.onSend = () => {
          wire.emit(accepted, began, finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    expect(await all(followAsk(ask_id, 0, signals().given, connection))).toEqual([accepted, began, finished])
    expect(wires[0]?.sent).toEqual([RESUMED_FROM(0)])
  })
})
