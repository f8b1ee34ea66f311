import { asText, isObject } from '../../../../stand-ins/slack/json.ts';
import { MrkdwnText } from '../text/mrkdwn-text.tsx';

export function TextObject({ value }: { value: unknown }) {
  if (!isObject(value)) return null;
  const text = asText(value.text);
  return value.type === 'mrkdwn' ? <MrkdwnText text={text} /> : <PlainText text={text} />;
}

const PlainText = ({ text }: { text: string }) => <span className="plain-text">{text}</span>;

export const wordsOf = (value: unknown): string => (isObject(value) ? asText(value.text) : '');
