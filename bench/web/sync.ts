import type { ConversationSync } from '#contract/conversationSync.ts'
import { startSimulator } from '../child.ts'
import { median, megabytes, printGoal, printTable, threeDigits } from '../figures.ts'
import { ADMIN, type Product } from '../product.ts'
import type { WebOptions } from './section.ts'
import { startWebProduct, TOKEN } from './webProduct.ts'

/** Milliseconds between two samples of progress and memory. */
const SAMPLE_EVERY = 100
const GOAL = { seconds: 60, megabytes: 60 }

/**
 * A sync of 50,000 listed conversations, first with none of them known, then with all: its time, and the portal's
 * memory above idle.
 */
export async function syncOfManyConversations({ rounds, quick }: WebOptions): Promise<void> {
  const count = quick ? 5_000 : 50_000
  const measured = {
    new: { seconds: [] as number[], rss: [] as number[] },
    known: { seconds: [] as number[], rss: [] as number[] },
  }
  for (let round = 0; round < rounds; round += 1) {
    const simulator = await startSimulator()
    await fetch(new URL('/simulator/web', simulator.url), {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: TOKEN, conversations: count }),
    }).then(response => {
      if (!response.ok) throw new Error(`the simulator answered ${response.status}`)
    })
    const product = await startWebProduct(simulator)
    try {
      const cookie = await product.signIn(ADMIN)
      for (const kind of ['new', 'known'] as const) {
        const { seconds, rss } = await syncOnce(product, cookie, count)
        measured[kind].seconds.push(seconds)
        measured[kind].rss.push(rss)
      }
    } finally {
      await Promise.all([product.stop(), simulator.stop()])
    }
  }
  printTable(
    `A sync of ${count} conversations`,
    ['', 'seconds', 'MB above idle'],
    (['new', 'known'] as const).map(kind => [
      `all ${kind}`,
      threeDigits(median(measured[kind].seconds)),
      megabytes(median(measured[kind].rss)),
    ]),
  )
  printGoal(`seconds, all new`, median(measured.new.seconds), GOAL.seconds)
  printGoal(`MB above idle, all new`, median(measured.new.rss) / 1_000_000, GOAL.megabytes)
}

async function syncOnce({ call, child }: Product, cookie: string, count: number) {
  const read = () => call<ConversationSync>(cookie, 'GET', '/system/conversations/sync')
  const before = (await read()).last?.end_time
  const idle = await child.usage(true)
  const began = performance.now()
  let most = idle.rss
  await call(cookie, 'POST', '/system/action/sync-openai-web-conv?wait=false')
  while (true) {
    const { last } = await read()
    most = Math.max(most, (await child.usage()).rss)
    if (last !== null && last.end_time !== before) {
      const seen = last.accounts[0]?.seen
      if (seen !== count) throw new Error(`a sync saw ${seen} of ${count} conversations`)
      return { seconds: (performance.now() - began) / 1000, rss: most - idle.rss }
    }
    await new Promise(resolve => setTimeout(resolve, SAMPLE_EVERY))
  }
}
