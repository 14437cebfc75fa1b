import { startSimulator } from '#simulator/simulator.ts'
import { startEmbeddedPostgres } from '../../testing/embeddedPostgres.ts'
import { emptyDatabase, makeTemplate } from '../../testing/postgresqlTemplate.ts'
import { quantile, megabytes, median, printGoal, printTable, threeDigits } from '../figures.ts'
import { startProduct } from '../product.ts'
import { runLoad } from '../relay/load.ts'
import { deltaTarget } from '../relay/productTarget.ts'
import { type Admission, measureAdmission } from './admission.ts'
import { distantServer } from './distantServer.ts'
import { idleSockets } from './idleSockets.ts'

const MEMBERS = 500
const SOCKETS = 1_000
const STREAMS = 200
/** Milliseconds to the remote database, per direction. */
const DISTANCE = 10

/** The cost of admission on both databases, the memory of idle sockets, and the waiting of many fast streams. */
export async function sharingSection({ rounds, quick }: { rounds: number; quick: boolean }): Promise<void> {
  await admissions(quick ? 100 : 400, rounds)
  await shares(quick ? 100 : MEMBERS, Math.max(3, rounds))
  await sockets(quick)
}

async function admissions(people: number, rounds: number): Promise<void> {
  const server = await startEmbeddedPostgres()
  const template = await makeTemplate(server.url)
  try {
    const sqlite: Admission[] = []
    const postgresql: Admission[] = []
    for (let round = 0; round < rounds; round += 1) {
      sqlite.push(await measureAdmission(people, null))
      if (round === 0) postgresql.push(await measureAdmission(people, await emptyDatabase(template)))
    }
    const distant = await distantServer(await emptyDatabase(template), DISTANCE)
    const away = [await measureAdmission(Math.ceil(people / 10), distant.url)]
    distant.close()
    const row = (name: string, all: Admission[]) => {
      const of = (key: keyof Admission) => median(all.map(one => one[key]))
      return [
        name,
        threeDigits(of('cpu')),
        threeDigits(of('time')),
        threeDigits(of('roundTrip')),
        threeDigits(of('time') / of('roundTrip')),
      ]
    }
    printTable(
      'Admission: all rules, the reservation, the question stored',
      ['database', 'CPU ms', 'time ms', 'round trip ms', 'round trips’ worth'],
      [row('SQLite', sqlite), row('PostgreSQL', postgresql), row(`PostgreSQL, ${2 * DISTANCE} ms away`, away)],
    )
    printGoal('CPU on SQLite', median(sqlite.map(one => one.cpu)), 1, 'at most', ' ms')
    // Not for the local database, whose round trip is so short that the server's own work would count as many of them.
    printGoal('PostgreSQL elsewhere, round trips’ worth', median(away.map(one => one.time / one.roundTrip)), 3)
  } finally {
    await server.stop()
  }
}

/** The same question with and without a shared account, in turns. */
async function shares(members: number, rounds: number): Promise<void> {
  const ratios: number[] = []
  const alone: number[] = []
  const shared: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const without = await measureAdmission(members, null)
    const within = await measureAdmission(members, null, { isShared: true })
    alone.push(without.cpu)
    shared.push(within.cpu)
    ratios.push(within.cpu / without.cpu)
  }
  printTable(
    `Admission to an account with two windows that ${members} people share, SQLite`,
    ['account', 'CPU ms'],
    [
      ['without windows', threeDigits(median(alone))],
      ['shared', threeDigits(median(shared))],
    ],
  )
  printGoal('CPU of admission to a shared account, of one without windows', median(ratios), 1.3)
}

async function sockets(quick: boolean): Promise<void> {
  const upstream = await startSimulator({ tokens_per_second: 0 })
  const product = await startProduct(upstream.url)
  try {
    const cookies = await product.people(STREAMS)
    const held = await idleSockets(product, cookies, SOCKETS)
    const load = await runLoad(deltaTarget(product, cookies), {
      streams: STREAMS,
      tokens: quick ? 250 : 1_000,
      pace: 50,
      spread_ms: 2_000,
    })
    printTable(
      'Many people',
      ['what', 'figure'],
      [
        [`${SOCKETS} idle signed-in sockets`, megabytes(held)],
        [`${STREAMS} streams at 50 tokens/s, delay p50`, `${threeDigits(median(load.latencies))} ms`],
        [`${STREAMS} streams at 50 tokens/s, delay p99`, `${threeDigits(quantile(load.latencies, 0.99))} ms`],
      ],
    )
    printGoal(`${SOCKETS} idle sockets above the idle process`, held / 1_048_576, 25, 'at most', ' MB')
    printGoal('added delay p50', median(load.latencies), 10, 'at most', ' ms')
    printGoal('added delay p99', quantile(load.latencies, 0.99), 100, 'at most', ' ms')
  } finally {
    await product.stop()
    await upstream.close()
  }
}
