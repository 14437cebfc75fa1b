import { setTimeout as delay } from 'node:timers/promises'
import type { Target } from '../relay/target.ts'

export type CallPlan = { at_once: number; calls: number; tokens: number; thinks_ms: number }

export type Calls = {
  /** Milliseconds from the call to the first text, and to the end. */
  firstTexts: number[]
  wholes: number[]
  /** CPU milliseconds of the target a call. */
  cpu: number
  texts: string[]
}

/** So many tools ask one question after the other. They begin at different moments, as people do. */
export async function runCalls(target: Target, { at_once, calls, tokens, thinks_ms }: CallPlan): Promise<Calls> {
  const thinks = thinks_ms === 0 ? '' : `fault=slow_first_byte delay=${thinks_ms} `
  const question = `/simulate ${thinks}stamp tokens=${tokens} pace=0\nbench`
  const measured = { firstTexts: new Array<number>(), wholes: new Array<number>(), texts: new Array<string>() }
  let left = calls
  const before = await target.usage()

  async function oneTool(person: number): Promise<void> {
    await delay((thinks_ms * person) / at_once)
    while (left-- > 0) {
      const ask = await target.connect(person)
      const asked = performance.now()
      let first = NaN
      let text = ''
      await ask(question, piece => {
        if (text === '' && piece !== '') first = performance.now() - asked
        text += piece
      })
      measured.firstTexts.push(first)
      measured.wholes.push(performance.now() - asked)
      measured.texts.push(text)
    }
  }
  await Promise.all(Array.from({ length: at_once }, (_, person) => oneTool(person)))
  const after = await target.usage()
  return { ...measured, cpu: (after.cpu_us - before.cpu_us) / calls / 1_000 }
}
