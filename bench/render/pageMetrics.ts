import type { Tab } from '../page/tab.ts'

/** CPU seconds that the page has used so far, and megabytes of heap. */
export type Metrics = { script: number; layout: number; heap: number }

/** Slows the page's processor and returns a function that reads the metrics. */
export async function pageMetrics(tab: Tab, slowed: number): Promise<() => Promise<Metrics>> {
  // Thread time, so that other work on the machine does not count.
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
