import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { layoutAhead } from './useLayoutAhead.ts'

const SCREEN = 100

let scroller: HTMLElement
let content: HTMLElement
let asked: string[]

/** Renders turns that are as high as a screen, with a box in each. */
function fill(turns: number): void {
  content.replaceChildren(
    ...Array.from({ length: turns }, (_, at) => {
      const turn = document.createElement('section')
      turn.innerHTML = `<p id="turn ${at}">问题</p><div data-box><p id="box ${at}">回答</p></div>`
      turn.style.cssText = `height: ${SCREEN}px; content-visibility: auto`
      for (const paragraph of turn.querySelectorAll('p')) {
        paragraph.getBoundingClientRect = () => {
          asked.push(paragraph.id)
          return new DOMRect()
        }
      }
      return turn
    }),
  )
}

const layAll = () => {
  asked = []
  for (const _ of layoutAhead(scroller, content)) {
    /* each step is a piece of work */
  }
  return asked
}

beforeEach(() => {
  scroller = document.createElement('div')
  scroller.style.cssText = `height: ${SCREEN}px; width: 300px; overflow: auto`
  content = document.createElement('div')
  scroller.append(content)
  document.body.append(scroller)
})
afterEach(() => scroller.remove())

describe('laying out ahead of the reader', () => {
  test('begins with the nearest turn', () => {
    fill(40)
    scroller.scrollTo(0, 20 * SCREEN)
    expect(layAll().slice(0, 8)).toEqual([
      'turn 20',
      'box 20',
      'turn 19',
      'box 19',
      'turn 21',
      'box 21',
      'turn 18',
      'box 18',
    ])
  })

  test('ends some screens away', () => {
    fill(40)
    scroller.scrollTo(0, 20 * SCREEN)
    const turns = layAll()
      .filter(id => id.startsWith('turn'))
      .map(id => Number(id.slice(5)))
    expect(Math.min(...turns)).toBe(16)
    expect(Math.max(...turns)).toBe(24)
  })

  test('lays out nothing twice while the page is as wide as it was', () => {
    fill(10)
    const once = layAll()
    expect(once.length).toBeGreaterThan(0)
    expect(layAll()).toEqual([])
    scroller.style.width = '200px'
    expect(layAll()).toEqual(once)
  })

  test('ignores elements between the turns', () => {
    fill(3)
    content.children[1]?.before(document.createElement('div'))
    expect(layAll()).toHaveLength(6)
  })

  test('does nothing without turns', () => {
    expect(layAll()).toEqual([])
  })
})
