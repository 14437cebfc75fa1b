import { describe, expect, test } from 'vitest'
import { readySocket } from './readySocket.ts'

class Wire extends EventTarget {
  closed = false
  close(): void {
    this.closed = true
    this.dispatchEvent(new Event('close'))
  }
}

function aReadySocket() {
  const wires: Wire[] = []
  const time = { now: 1_000_000 }
  const ready = readySocket(
    () => {
      const wire = new Wire()
      wires.push(wire)
      return wire as unknown as WebSocket // the two members that are used
    },
    () => time.now,
  )
  return { ready, wires, time }
}

describe('a socket that is opened while somebody writes', () => {
  test('is opened once for many letters, and taken by the first ask alone', () => {
    const { ready, wires } = aReadySocket()
    ready.prepare()
    ready.prepare()
    expect(wires).toHaveLength(1)
    expect(ready.take()).toBe(wires[0])
    expect(ready.take()).toBe(null)
    expect(wires[0]?.closed).toBe(false)
  })

  test('is made anew while writing takes long', () => {
    const { ready, wires, time } = aReadySocket()
    ready.prepare()
    time.now += 21_000
    ready.prepare()
    expect(wires.map(({ closed }) => closed)).toEqual([true, false])
    expect(ready.take()).toBe(wires[1])
  })

  test('is not relied on after the machine has slept', () => {
    const { ready, wires, time } = aReadySocket()
    ready.prepare()
    time.now += 3_600_000
    expect(ready.take()).toBe(null)
    expect(wires[0]?.closed).toBe(true)
  })

  test('that was closed from the other side is not tried again for half a minute', () => {
    const { ready, wires, time } = aReadySocket()
    ready.prepare()
    wires[0]?.close()
    expect(ready.take()).toBe(null)
    time.now += 29_000
    ready.prepare()
    expect(wires).toHaveLength(1)
    time.now += 2_000
    ready.prepare()
    expect(ready.take()).toBe(wires[1])
  })

  test('is dropped with the person it was opened for', () => {
    const { ready, wires } = aReadySocket()
    ready.prepare()
    ready.drop()
    expect(wires[0]?.closed).toBe(true)
    expect(ready.take()).toBe(null)
  })
})
