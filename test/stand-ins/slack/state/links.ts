import { escapeEntities } from '../escape-entities.ts';

const URL_IN_TEXT = /https?:\/\/[^\s<>|"]+/g;
const TRAILING_PUNCTUATION = /(?<![.,;:!?)\]}'*_])[.,;:!?)\]}'*_]+$/;

export interface Link {
  /** As Slack gives it to apps: with `&amp;` for `&`. Source: slackapi/python-slack-events-api#49. */
  url: string;
  /** The configured domain that it matches. */
  domain: string;
}

function hostOf(url: string): string | undefined {
  try {
    return new URL(url).hostname.toLowerCase();
  } catch {
    return undefined;
  }
}

/** The links in a text that match an app's unfurl domains, including subdomains, in order. */
export function linksIn(text: string, domains: string[]): Link[] {
  return (text.match(URL_IN_TEXT) ?? []).flatMap((found) => {
    const url = found.replace(TRAILING_PUNCTUATION, '');
    const host = hostOf(url);
    const domain = domains.find((one) => host === one || host?.endsWith(`.${one}`));
    return domain ? [{ url: escapeEntities(url), domain }] : [];
  });
}
