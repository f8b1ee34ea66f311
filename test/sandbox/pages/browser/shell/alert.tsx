import type { ComponentProps } from 'react';

/** Says what is wrong; nothing if nothing is. */
export const Alert = ({ children, ...rest }: ComponentProps<'p'>) =>
  children ? (
    <p role="alert" {...rest}>
      {children}
    </p>
  ) : null;
