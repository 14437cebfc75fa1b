import { describe, expect, test, vi } from 'vitest'
import type { Message } from '#contract/messages.ts'
import type { ChatEvent } from './chatEvents.ts'
import { askOverSocket, type ChatConnection, followAsk, type OwnAsk } from './chatSocket.ts'

const ask_id = '5d8f3c0e-6f0e-4c9a-9d1e-0a2b3c4d5e6f'
const conversation_id = '0f1e2d3c-4b5a-4978-8899-aabbccddeeff'
const request: OwnAsk = { ask_id, source: 'openai_api', model: 'gpt_4', new_conversation: true, text_content: '几点了' }
const reply: Message = {
  id: 'reply',
  source: 'openai_api',
  role: 'assistant',
  author_name: null,
  model: 'gpt_4',
  create_time: null,
  parent: null,
  children: [],
  content: { content_type: 'text', text: '' },
  metadata: { source: 'openai_api' },
}
const accepted = { type: 'accepted', ask_id, conversation_id, question: null }
const began = { n: 1, type: 'message', message: reply }
const finished = { type: 'finished', outcome: 'finished', charged: true }
const RESUMED_FROM = (after: number) => ({ resume: ask_id, after })

/** What the server does with one connection: it is told what was said, and answers. */
type Connection = (wire: ScriptedWire) => void

class ScriptedWire extends EventTarget {
  readyState = 0
  said: object[] = []
  onSaid: (message: object) => void = () => undefined

  send(text: string): void {
    const message: object = JSON.parse(text)
    this.said.push(message)
    this.onSaid(message)
  }

  open(): void {
    this.dispatchEvent(new Event('open'))
  }
  tell(...events: object[]): void {
    for (const event of events) this.dispatchEvent(Object.assign(new Event('message'), { data: JSON.stringify(event) }))
  }

  drop(code = 1006, reason = ''): void {
    this.dispatchEvent(Object.assign(new Event('close'), { code, reason }))
  }
  close(): void {
    /* the script says when it is closed */
  }
}

/** A connection on which each socket goes as the script says; after the last one nothing opens any more. */
function scripted(connections: Connection[], session: 'held' | 'lost' | 'unreachable' = 'held') {
  const wires: ScriptedWire[] = []
  const returned = new Set<() => void>()
  const connection: ChatConnection = {
    open() {
      const wire = new ScriptedWire()
      const connection = connections[wires.length] ?? (refused => refused.drop())
      wires.push(wire)
      queueMicrotask(() => connection(wire))
      return wire as unknown as WebSocket // the three members that are used
    },
    session: () => Promise.resolve(session),
    pause: () => Promise.resolve(),
    onReturn(listener) {
      returned.add(listener)
      return () => {
        returned.delete(listener)
      }
    },
    random: () => 0,
  }
  /** The first one was opened before anybody asked. */
  const opened = (): ChatConnection => ({
    ...connection,
    open: () => Object.assign(connection.open(), { readyState: wires.length === 1 ? 1 : 0 }),
  })
  return {
    connection,
    wires,
    opened,
    comeBack: () => {
      for (const listener of returned) listener()
    },
  }
}

function signals() {
  const stop = new AbortController()
  const leave = new AbortController()
  return { stop, leave, given: { stop: stop.signal, leave: leave.signal } }
}

async function all(events: AsyncGenerator<ChatEvent>): Promise<ChatEvent[]> {
  const seen: ChatEvent[] = []
  for await (const event of events) seen.push(event)
  return seen
}

const answering: Connection = wire => {
  wire.onSaid = () => {
    wire.tell(accepted, began, { n: 4, t: '三点半' }, finished)
    wire.drop(1000, 'tips.finished')
  }
  wire.open()
}

describe('an ask over the socket', () => {
  test('sends the request and yields what the server tells until it closes', async () => {
    const { connection, wires } = scripted([answering])
    expect(await all(askOverSocket(request, signals().given, connection))).toEqual([
      accepted,
      began,
      { n: 4, t: '三点半' },
      finished,
    ])
    expect(wires.map(wire => wire.said)).toEqual([[request]])
  })

  test('yields the title that comes after the end', async () => {
    const title = { type: 'title', title: '时间' }
    const { connection } = scripted([
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted, finished, title)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    expect((await all(askOverSocket(request, signals().given, connection))).at(-1)).toEqual(title)
  })

  test('tells a refusal of the server and ends', async () => {
    const error = { type: 'error', tip: 'errors.queueFull', values: null, charged: false }
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = () => {
          wire.tell(error)
          wire.drop(1008, 'errors.queueFull')
        }
        wire.open()
      },
    ])
    expect(await all(askOverSocket(request, signals().given, connection))).toEqual([error])
    expect(wires).toHaveLength(1)
  })

  test('makes the reason of a close without a word the refusal', async () => {
    const { connection } = scripted([
      wire => {
        wire.onSaid = () => wire.drop(1008, 'errors.loginExpired')
        wire.open()
      },
    ])
    expect(await all(askOverSocket(request, signals().given, connection))).toMatchObject([
      { type: 'error', tip: 'errors.loginExpired' },
    ])
  })
})

describe('a session that ends while an answer comes', () => {
  const taken: Connection = wire => {
    wire.onSaid = () => {
      wire.tell(accepted, began)
      wire.drop(1008, 'errors.loginExpired')
    }
    wire.open()
  }
  const lost: Connection = wire => {
    wire.onSaid = () => {
      wire.tell(accepted, began)
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
        wire.tell(accepted, began, finished)
        wire.drop(1000)
      },
    ])
    expect(await all(askOverSocket(request, signals().given, opened()))).toEqual([accepted, began, finished])
    expect(wires.map(wire => wire.said)).toEqual([[request]])
  })

  test('and has died since is given up within seconds, and the same ask sent over a new one', async () => {
    vi.useFakeTimers()
    try {
      const { opened, wires } = scripted([() => undefined, answering])
      const events = all(askOverSocket(request, signals().given, opened()))
      await vi.advanceTimersByTimeAsync(5_000)
      expect((await events).at(-1)).toEqual(finished)
      expect(wires.map(wire => wire.said)).toEqual([[request], [request]])
    } finally {
      vi.useRealTimers()
    }
  })
})

describe('a lost connection', () => {
  test('is taken up after the number that was reached, and repeats are dropped', async () => {
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted, began, { n: 3, t: '三点' })
          wire.drop()
        }
        wire.open()
      },
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted, { n: 3, t: '点' }, { n: 4, t: '点半' }, finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    const events = await all(askOverSocket(request, signals().given, connection))
    expect(wires[1]?.said).toEqual([RESUMED_FROM(3)])
    expect(events.flatMap(event => ('t' in event ? event.t : [])).join('')).toBe('三点半')
    expect(events.filter(event => 'type' in event && event.type === 'connection')).toEqual([
      { type: 'connection', state: 'lost', attempt: 1, blocked: false },
      { type: 'connection', state: 'open' },
    ])
  })

  test('before the question was accepted sends the same ask again', async () => {
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = () => wire.drop()
        wire.open()
      },
      answering,
    ])
    await all(askOverSocket(request, signals().given, connection))
    expect(wires.map(wire => wire.said)).toEqual([[request], [request]])
  })

  test('is made by a server that restarts: the question is asked again', async () => {
    const stopping = { type: 'error', tip: 'errors.serverStopping', values: null, charged: false }
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = () => {
          wire.tell(stopping)
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
        wire.onSaid = () => wire.tell(accepted, began, { n: 9, t: '半' })
        wire.open()
      },
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted, { n: 4, t: '三点半' }, finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    await all(askOverSocket(request, signals().given, connection))
    expect(wires[1]?.said).toEqual([RESUMED_FROM(1)])
  })

  test('is assumed when the network or the person comes back', async () => {
    const script = scripted([
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted, began)
          script.comeBack()
        }
        wire.open()
      },
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted, finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    await all(askOverSocket(request, signals().given, script.connection))
    expect(script.wires[1]?.said).toEqual([RESUMED_FROM(1)])
  })

  test('with the session lost as well ends the ask', async () => {
    const { connection } = scripted([wire => wire.drop()], 'lost')
    expect(await all(askOverSocket(request, signals().given, connection))).toEqual([
      { type: 'error', tip: 'errors.loginExpired', values: null, charged: false },
    ])
  })
})

describe('a stop', () => {
  test('is said on the open connection, and the end is waited for', async () => {
    const { stop, given } = signals()
    const stopped = { type: 'finished', outcome: 'stopped', charged: true }
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = message => {
          if (!('stop' in message)) return wire.tell(accepted, began)
          wire.tell(stopped)
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
    expect(wires[0]?.said).toEqual([request, { stop: true }])
    expect(seen.at(-1)).toEqual(stopped)
  })

  test('that was said before the ask was known is said again when it is', async () => {
    const { stop, given } = signals()
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = message => {
          if ('text_content' in message) {
            stop.abort()
            wire.tell(accepted)
          } else if (wire.said.length === 3) {
            wire.tell({ type: 'finished', outcome: 'stopped', charged: false })
            wire.drop(1000)
          }
        }
        wire.open()
      },
    ])
    expect((await all(askOverSocket(request, given, connection))).at(-1)).toMatchObject({ outcome: 'stopped' })
    expect(wires[0]?.said).toEqual([request, { stop: true }, { stop: true }])
  })

  test('while the connection is lost is said after taking it up again', async () => {
    const { stop, given } = signals()
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted, began)
          stop.abort()
          wire.drop()
        }
        wire.open()
      },
      wire => {
        wire.onSaid = message => {
          if (!('stop' in message)) return wire.tell(accepted)
          wire.tell(finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    await all(askOverSocket(request, given, connection))
    expect(wires[1]?.said).toEqual([RESUMED_FROM(1), { stop: true }])
  })

  test('before the question arrived does not send it any more', async () => {
    const { stop, given } = signals()
    const { connection, wires } = scripted([
      wire => {
        stop.abort()
        wire.drop()
      },
      wire => {
        wire.onSaid = message => {
          if ('resume' in message) {
            wire.tell({ type: 'error', tip: 'errors.askNotFound', values: null, charged: false })
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
    expect(wires[1]?.said).toEqual([RESUMED_FROM(0)])
  })
})

describe('leaving', () => {
  test('ends the reading and says nothing to the server', async () => {
    const { leave, given } = signals()
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted)
          leave.abort()
        }
        wire.open()
      },
    ])
    expect(await all(askOverSocket(request, given, connection))).toEqual([accepted])
    expect(wires[0]?.said).toEqual([request])
  })
})

describe('following an ask', () => {
  test('takes up what another page began', async () => {
    const { connection, wires } = scripted([
      wire => {
        wire.onSaid = () => {
          wire.tell(accepted, began, finished)
          wire.drop(1000)
        }
        wire.open()
      },
    ])
    expect(await all(followAsk(ask_id, 0, signals().given, connection))).toEqual([accepted, began, finished])
    expect(wires[0]?.said).toEqual([RESUMED_FROM(0)])
  })
})
