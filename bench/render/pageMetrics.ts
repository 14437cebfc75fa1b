import type { Tab } from '../page/tab.ts'

/** Seconds of the processor that the page has spent so far, and megabytes. */
export type Metrics = { script: number; layout: number; heap: number }

/** Slows the processor of the page and answers with the way to ask what it has spent. */
export async function pageMetrics(tab: Tab, slowed: number): Promise<() => Promise<Metrics>> {
  // What others do on the machine meanwhile does not count.
  await tab.send('Performance.enable', { timeDomain: 'threadTicks' })
  await tab.send('Emulation.setCPUThrottlingRate', { rate: slowed })
  return async () => {
    const { metrics } = await tab.send('Performance.getMetrics')
    const of = (wanted: string) => metrics.find(({ name }) => name === wanted)?.value ?? NaN
    return {
      script: of('ScriptDuration'),
      layout: of('LayoutDuration') + of('RecalcStyleDuration'),
      heap: of('JSHeapUsedSize') / 1_048_576,
    }
  }
}
