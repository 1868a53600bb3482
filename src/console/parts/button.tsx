import type { ComponentProps } from 'preact'

/** Does something at once; what sends a form is a plain button. */
export const Button = (props: ComponentProps<'button'>) => <button type="button" {...props} />
