import { describe, expect, onTestFinished, test } from 'vitest'
import { leaveRoomForKeyboard } from './keyboardRoom.ts'

class TestViewport extends EventTarget {
  height = window.innerHeight
  scale = 1
  become(changes: { height?: number; scale?: number }) {
    Object.assign(this, changes)
    this.dispatchEvent(new Event('resize'))
  }
}

function room(): string {
  return document.documentElement.style.getPropertyValue('--room')
}

describe('the room for the page', () => {
  test('ends where a keyboard that lies over it begins, and is whole again without one', () => {
    const viewport = new TestViewport()
    onTestFinished(() => viewport.become({ height: window.innerHeight, scale: 1 }))
    leaveRoomForKeyboard(viewport)
    expect(room()).toBe('')
    viewport.become({ height: window.innerHeight - 300 })
    expect(room()).toBe(`${window.innerHeight - 300}px`)
    viewport.become({ height: window.innerHeight })
    expect(room()).toBe('')
  })
  test('is not changed by a bar of the browser, nor by zooming', () => {
    const viewport = new TestViewport()
    leaveRoomForKeyboard(viewport)
    viewport.become({ height: window.innerHeight - 60 })
    expect(room()).toBe('')
    viewport.become({ height: window.innerHeight / 2, scale: 2 })
    expect(room()).toBe('')
  })
})
