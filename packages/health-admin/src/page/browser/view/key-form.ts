import { keyFault } from '../wire/key-header.ts'
import { byId, setAttribute, setHidden, setText } from './elements.ts'

/** The form for a key. */
export interface KeyForm {
  /** Shows it, with what is wrong with the key that was typed in. */
  show(fault: string): void
  /** Leaves what was typed where it is. */
  hide(): void
  clear(): void
}

/** `open` gets what was typed in, once it can be a key. What was typed stays until a key has been accepted. */
export function keyForm(open: (key: string) => void): KeyForm {
  const [form, reveal] = [byId('key-form'), byId('show-key')]
  const input = byId<HTMLInputElement>('key')

  const complain = (fault: string): void => {
    setText(byId('key-fault'), fault)
    setAttribute(input, 'aria-invalid', fault === '' ? undefined : 'true')
  }
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const typed = input.value.trim()
    const fault = keyFault(typed)
    complain(fault ?? '')
    if (fault === undefined) open(typed)
    else input.focus()
  })
  const setVisible = (isVisible: boolean): void => {
    input.type = isVisible ? 'text' : 'password'
    setAttribute(reveal, 'aria-pressed', String(isVisible))
  }
  reveal.addEventListener('click', () => setVisible(input.type === 'password'))

  return {
    show(fault) {
      form.hidden = false
      complain(fault)
      input.focus()
    },
    hide: () => setHidden(form, true),
    clear() {
      input.value = ''
      complain('')
      setVisible(false)
    },
  }
}
