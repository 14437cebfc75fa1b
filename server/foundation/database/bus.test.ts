import { once } from 'node:events'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { eachDatabase } from '#testing/database.ts'
import { until } from '#testing/until.ts'
import { openBus, type Bus } from './bus.ts'
import type { OpenDatabase } from './open.ts'

eachDatabase((name, open) => {
  test('a subscriber gets what is published on its topic, at once', async () => {
    const bus = await aBus(await open())
    const received = listen(bus, 'lane 1')
    bus.publish('lane 1', 'granted\nto 小明 "\\\'')
    bus.publish('lane 2', 'other')
    bus.publish('lane 1')
    expect(received).toEqual(['granted\nto 小明 "\\\'', ''])
  })
  test('every subscriber gets it, until it ends its subscription', async () => {
    const bus = await aBus(await open())
    const first = listen(bus, 'topic')
    const second: string[] = []
    const end = bus.subscribe('topic', body => second.push(body))
    bus.publish('topic', 'a')
    end()
    bus.publish('topic', 'b')
    expect({ first, second }).toEqual({ first: ['a', 'b'], second: ['a'] })
  })
  test('a listener that fails is warned of and harms no other', async () => {
    const bus = await aBus(await open())
    bus.subscribe('topic', () => {
      throw new Error('mine')
    })
    const received = listen(bus, 'topic')
    const warned = once(process, 'warning')
    bus.publish('topic', 'a')
    expect(received).toEqual(['a'])
    expect(String(await warned)).toContain('a listener of topic failed')
  })
  test('a topic named like an event of Node is a topic like others', async () => {
    const bus = await aBus(await open())
    const received = listen(bus, 'error')
    bus.publish('error', 'a')
    expect(received).toEqual(['a'])
  })
  test('nobody hears anything after it is closed', async () => {
    const bus = await openBus(await open())
    const received = listen(bus, 'topic')
    await bus.close()
    bus.publish('topic', 'late')
    expect(received).toEqual([])
  })
  test('a body of 7,000 bytes is sent, one more is refused', async () => {
    const opened = await open()
    const bus = await aBus(opened)
    const received = listen(bus, 'x'.repeat(200))
    bus.publish('x'.repeat(200), '"'.repeat(7_000))
    expect(received).toEqual(['"'.repeat(7_000)])
    expect(() => bus.publish('topic', `${'文'.repeat(2_333)}ab`)).toThrow(RangeError)
  })
  test('what PostgreSQL could not send is refused on both', async () => {
    const bus = await aBus(await open())
    for (const body of ['a\0', '\ud800']) expect(() => bus.publish('topic', body)).toThrow('is not sent')
    for (const topic of ['two\nlines', 'x'.repeat(201)]) expect(() => bus.publish(topic)).toThrow('one short line')
  })
  if (name === 'PostgreSQL') describe('between processes', () => acrossProcesses(open))
})

function acrossProcesses(open: () => Promise<OpenDatabase>): void {
  test('both hear it once, in the order it was published', async () => {
    const [here, there] = await busesOf(await open())
    const receivedHere = listen(here, 'topic')
    const bodies = ['same', 'same', '文"\n\\', '"'.repeat(7_000), 'last']
    const arrived = arrival(there, 'topic', bodies.length)
    for (const body of bodies) here.publish('topic', body)
    expect(await arrived).toEqual(bodies)
    await roundTrip(there, here)
    expect(receivedHere).toEqual(bodies)
  })
  test('what is published while the connection is lost arrives later, once', async () => {
    const opened = await open()
    const [here, there] = await busesOf(opened)
    const arrived = arrival(there, 'topic', 3)
    here.publish('topic', 'before')
    await roundTrip(there, here)
    const cut = cutConnection(opened, 'here')
    here.publish('topic', 'during')
    await cut
    here.publish('topic', 'after')
    expect(await arrived).toEqual(['before', 'during', 'after'])
  })
  test('who lost the connection hears again what is published once it is back', async () => {
    const opened = await open()
    const [here, there] = await busesOf(opened)
    const received = listen(there, 'topic')
    await cutConnection(opened, 'there')
    let published = 0
    await until(() => {
      here.publish('topic', String(++published))
      expect(received).not.toEqual([])
    })
    expect(new Set(received).size).toBe(received.length)
  })
  test('another database on the same server hears nothing', async () => {
    const [here, there] = await busesOf(await open())
    const otherProcess = await aBus(await open())
    const received = listen(otherProcess, 'topic')
    here.publish('topic', 'a')
    await roundTrip(here, there)
    expect(received).toEqual([])
  })
}

async function aBus(open: OpenDatabase): Promise<Bus> {
  const bus = await openBus(open)
  onTestFinished(() => bus.close())
  return bus
}

/** As two processes on one database would have them. */
async function busesOf(open: OpenDatabase): Promise<[here: Bus, there: Bus]> {
  const named = (name: string) => aBus({ ...open, url: `${open.url}?application_name=${name}` })
  return [await named('here'), await named('there')]
}

async function cutConnection({ database }: OpenDatabase, name: string): Promise<void> {
  const { rows } = await sql`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where application_name = ${name} and datname = current_database()`.execute(database)
  expect(rows).toHaveLength(1)
}

function listen(bus: Bus, topic: string): string[] {
  const received: string[] = []
  bus.subscribe(topic, body => received.push(body))
  return received
}

/** The first bodies of a topic, when there are as many. */
function arrival(bus: Bus, topic: string, count: number): Promise<string[]> {
  const { promise, resolve } = Promise.withResolvers<string[]>()
  const received: string[] = []
  bus.subscribe(topic, body => {
    if (received.push(body) === count) resolve(received)
  })
  return promise
}

/** After it, whatever was sent before it has arrived. */
async function roundTrip(from: Bus, to: Bus): Promise<void> {
  const arrived = arrival(to, 'round trip', 1)
  from.publish('round trip')
  await arrived
}
