import { chromium } from '@playwright/test'
import { CHROMIUM_ARGUMENTS, findChromium } from '#testing/chromium.ts'
import { startSimulator } from '../child.ts'
import { rotated, kilobytes, median, printGoal, printTable, threeDigits } from '../figures.ts'
import { startProduct, type Product } from '../product.ts'
import { buildPage, serve } from './serve.ts'
import { cookiesOf } from './tab.ts'
import { visit, type Route, type Visit } from './visit.ts'

const KB = 1_024
/** Visits per round. One visit may take a third longer than the one before, so the median of a few would be random. */
const VISITS_A_ROUND = 5

/** Cold visits on a slowed processor: the routes of the product and the smallest page, in turn. */
export async function pageSection({ rounds, withProduct }: { rounds: number; withProduct: boolean }) {
  const turns = rounds * VISITS_A_ROUND
  const smallest = await serve(await buildPage('page/smallest'))
  const simulator = await startSimulator()
  const product = withProduct ? await startProduct(simulator.url) : undefined
  const browser = await chromium.launch({ executablePath: findChromium(), args: CHROMIUM_ARGUMENTS })
  try {
    const routes: Route[] = [{ name: 'smallest page', url: smallest.url, field: '[data-testid=composer]' }]
    if (product) routes.push(...(await productRoutes(product)))
    const visits = new Map(routes.map(route => [route.name, [] as Visit[]]))
    // The first turn fills the disk caches of browser and servers and is not counted.
    for (let turn = 0; turn <= turns; turn += 1) {
      for (const route of rotated(routes, turn)) {
        const found = await visit(browser, route)
        if (turn > 0) visits.get(route.name)?.push(found)
      }
    }
    report(visits, turns)
  } finally {
    await browser.close()
    await Promise.all([product?.stop(), simulator.stop(), smallest.stop()])
  }
}

async function productRoutes(product: Product): Promise<Route[]> {
  // An administrator's page also loads the words of administration, once it is idle.
  const [person = ''] = await product.people(1)
  const cookies = cookiesOf(person)
  return [
    { name: 'login', url: `${product.url}/login`, field: '[data-testid=username]' },
    { name: 'chat', url: `${product.url}/conversation`, field: '[data-testid=composer]', cookies },
  ]
}

function report(visits: Map<string, Visit[]>, count: number) {
  const middle = new Map(
    [...visits].map(([name, all]) => {
      const of = (key: keyof Visit) => median(all.map(each => each[key]))
      return [
        name,
        {
          requests: of('requests'),
          transferred: of('transferred'),
          code: of('code'),
          largest_paint: of('largest_paint'),
          ready: of('ready'),
          alive: of('alive'),
          blocking: of('blocking'),
          shift: of('shift'),
        } satisfies Visit,
      ]
    }),
  )
  printTable(
    `Cold visits, processor slowed 4 times (medians of ${count})`,
    [
      '',
      'requests',
      'transferred',
      'JS and CSS',
      'largest paint ms',
      'ready to type ms',
      'alive ms',
      'blocking ms',
      'layout shift',
    ],
    [...middle].map(([name, each]) => [
      name,
      String(each.requests),
      kilobytes(each.transferred),
      kilobytes(each.code),
      threeDigits(each.largest_paint),
      threeDigits(each.ready),
      threeDigits(each.alive),
      threeDigits(each.blocking),
      each.shift.toFixed(3),
    ]),
  )
  const smallest = middle.get('smallest page')
  const login = middle.get('login')
  const chat = middle.get('chat')
  if (!smallest || !login || !chat) return
  printGoal('login, JS and CSS', login.code / KB, 190, 'at most', ' KB')
  printGoal('chat, JS and CSS', chat.code / KB, 280, 'at most', ' KB')
  for (const [name, each] of [
    ['login', login],
    ['chat', chat],
  ] as const) {
    printGoal(`${name}, requests`, each.requests, 14)
    printGoal(
      `${name}, largest paint against the smallest page`,
      each.largest_paint / smallest.largest_paint,
      1.9,
      'at most',
      'x',
    )
    printGoal(`${name}, blocking`, each.blocking, 250, 'at most', ' ms')
    printGoal(`${name}, layout shift`, each.shift, 0)
  }
  printGoal('chat, ready to type against the smallest page', chat.ready / smallest.ready, 3, 'at most', 'x')
}
