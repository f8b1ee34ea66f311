import { useState } from 'react';
import { Button } from '../shell/button.tsx';

export function CopyButton(props: { text: string; name: string; label: string }) {
  const { text, name, label } = props;
  const [copied, setCopied] = useState<string>();
  return (
    <Button
      aria-label={label}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(text);
      }}
    >
      {copied === text ? 'Copied' : name}
    </Button>
  );
}
