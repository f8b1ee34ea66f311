import { useState } from 'react';

export function CopyButton(props: { text: string; name: string; label: string }) {
  const { text, name, label } = props;
  const [copied, setCopied] = useState<string>();
  return (
    <button
      type="button"
      className="button small"
      aria-label={label}
      onClick={async () => {
        await navigator.clipboard.writeText(text);
        setCopied(text);
      }}
    >
      {copied === text ? 'Copied' : name}
    </button>
  );
}
