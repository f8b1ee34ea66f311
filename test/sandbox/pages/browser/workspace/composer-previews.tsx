import { useEffect, useState } from 'react';
import { PreviewCard } from './attachment.tsx';
import { useSlack } from './names.tsx';

const ADDRESS = /https?:\/\/[^\s<>|"]+/g;
/** Slack asks the app after a pause this long, in ms. */
const PAUSE_MS = 300;

/** Previews of the links in a message that isn't sent yet. */
export function ComposerPreviews({ channelId, text }: { channelId: string; text: string }) {
  const { snapshot, act } = useSlack();
  const [unfurlId, setUnfurlId] = useState<string>();
  const addresses = (text.match(ADDRESS) ?? []).join(' ');

  useEffect(() => {
    setUnfurlId(undefined);
    if (addresses === '') return undefined;
    let still = true;
    const ask = async () => {
      const result = await act({ do: 'compose', channelId, text: addresses });
      if (still) setUnfurlId(result.unfurlId);
    };
    const timer = setTimeout(() => void ask().catch(() => undefined), PAUSE_MS);
    return () => {
      still = false;
      clearTimeout(timer);
    };
  }, [act, channelId, addresses]);

  const attachments = unfurlId ? (snapshot.previews[unfurlId] ?? []) : [];
  if (attachments.length === 0) return null;
  return (
    <div className="previews">
      {attachments.map((attachment) => (
        <PreviewCard key={String(attachment.id)} attachment={attachment} />
      ))}
    </div>
  );
}
