import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { textOf, type Message } from '#contract/messages.ts'
import { startSimulator } from '../child.ts'
import { median, printGoal, printTable, rotated, threeDigits } from '../figures.ts'
import { buildPage, serve } from '../page/serve.ts'
import { cookiesOf } from '../page/tab.ts'
import { ADMIN, startProduct, type Product } from '../product.ts'
import { openThread, type ThreadOpening, type Thread } from './openThread.ts'
import { messagesOf, storeConversation } from './stored.ts'

type Options = { rounds: number; quick: boolean; withProduct: boolean }

/**
 * Opens long conversations cold on a slowed processor: in the product, and as plain text in the smallest React page.
 */
export async function threadsPart(browser: Browser, { rounds, quick, withProduct }: Options): Promise<void> {
  const sizes = quick ? [40, 100] : [400, 2_000]
  const conversations = sizes.map(messagesOf)
  const baseline = await serve(await baselineFolder(conversations))
  const simulator = await startSimulator()
  const product = withProduct ? await startProduct(simulator.url) : undefined
  try {
    const threads = conversations.map((messages): Thread => ({
      name: `smallest page, ${messages.length}`,
      url: `${baseline.url}/#${messages.length}`,
      last: messages.at(-1)?.id ?? '',
    }))
    if (product) threads.push(...(await productThreads(product, conversations)))
    const found = new Map(threads.map(({ name }) => [name, [] as ThreadOpening[]]))
    // The first round fills the disk caches of browser and servers and is not counted.
    for (let round = 0; round <= rounds; round += 1)
      for (const thread of rotated(threads, round)) {
        const opened = await openThread(browser, thread)
        if (round > 0) found.get(thread.name)?.push(opened)
      }
    report(found, sizes)
  } finally {
    await Promise.all([product?.stop(), simulator.stop(), baseline.stop()])
  }
}

async function baselineFolder(conversations: readonly Message[][]): Promise<string> {
  const folder = await buildPage('render/thread')
  for (const messages of conversations) {
    const words = messages.map(message => ({ id: message.id, text: textOf(message) }))
    await rm(join(folder, `messages-${messages.length}.json`), { force: true })
    await writeFile(join(folder, `messages-${messages.length}.json`), JSON.stringify(words))
  }
  return folder
}

async function productThreads(product: Product, conversations: readonly Message[][]): Promise<Thread[]> {
  const cookies = cookiesOf(await product.signIn(ADMIN))
  const threads: Thread[] = []
  for (const messages of conversations) {
    const id = await storeConversation(product.data, messages)
    threads.push({
      name: `product, ${messages.length}`,
      url: `${product.url}/conversation?id=${id}`,
      last: messages.at(-1)?.id ?? '',
      cookies,
    })
  }
  return threads
}

function report(found: Map<string, ThreadOpening[]>, [few = 0]: number[]): void {
  const middle = (name: string, key: keyof ThreadOpening) => median((found.get(name) ?? []).map(each => each[key]))
  printTable(
    'Conversations opened cold, scrolled up fast at once and slowly later, processor slowed 4 times (medians)',
    [
      '',
      'largest paint ms',
      'last message ms',
      'nodes then',
      'script s',
      'longest task ms',
      'all there ms',
      'nodes',
      'longest frame, fast ms',
      'slow ms',
      'heap MB',
    ],
    [...found.keys()].map(name => [
      name,
      ...(
        [
          'largest_paint',
          'last_seen',
          'nodes',
          'script',
          'longest_task',
          'complete',
          'all_nodes',
          'fast_frame',
          'slow_frame',
          'heap',
        ] as const
      ).map(key => threeDigits(middle(name, key))),
    ]),
  )
  const product = `product, ${few}`
  if (!found.has(product)) return
  const opened = middle(product, 'last_seen') / middle(`smallest page, ${few}`, 'largest_paint')
  printGoal('last message against the largest paint of the smallest page', opened, 3, 'at most', 'x')
}
