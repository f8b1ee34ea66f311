import { asText, isObject } from '../../../../stand-ins/slack/json.ts';
import { MrkdwnText } from '../text/mrkdwn-text.tsx';

export function TextObject({ value }: { value: unknown }) {
  if (!isObject(value)) return null;
  const text = asText(value.text);
  return value.type === 'mrkdwn' ? <MrkdwnText text={text} /> : <span>{text}</span>;
}

export const wordsOf = (value: unknown): string => (isObject(value) ? asText(value.text) : '');

/** Nothing is loaded from elsewhere: only this machine's pictures are shown, others as their alt text. */
const OWN = /^http:\/\/127\.0\.0\.1:\d+\//;

export function SafeImage({ address, alt }: { address: string; alt: string }) {
  if (OWN.test(address)) return <img src={address} alt={alt} loading="lazy" />;
  return (
    <span className="soft picture-elsewhere" title={address}>
      {alt || 'picture'} (not loaded, because it isn’t on this machine)
    </span>
  );
}
