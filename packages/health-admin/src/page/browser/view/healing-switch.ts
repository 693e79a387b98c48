import { switchHealing } from '../wire/switch-healing.ts'
import { byId, setAttribute, setText } from './elements.ts'

/** Makes the button of self-healing work; what it did is seen in the next state. */
export function healingSwitch(now: () => { key: string | undefined; isOn: boolean }): { clear(): void } {
  const [button, fault] = [byId('switch'), byId('switch-fault')]

  async function flip(): Promise<void> {
    // a disabled button would lose the focus
    if (button.getAttribute('aria-disabled') === 'true') return
    setAttribute(button, 'aria-disabled', 'true')
    setText(fault, '')
    const { key, isOn } = now()
    setText(fault, (await switchHealing(key, !isOn)) ?? '')
    setAttribute(button, 'aria-disabled', undefined)
  }
  button.addEventListener('click', () => void flip())
  return { clear: () => setText(fault, '') }
}
