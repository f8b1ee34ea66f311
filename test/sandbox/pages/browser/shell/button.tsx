import type { ComponentProps } from 'react';

/** A button that doesn't submit. */
export const Button = ({ className = '', ...rest }: ComponentProps<'button'>) => (
  <button type="button" className={`button ${className}`} {...rest} />
);
