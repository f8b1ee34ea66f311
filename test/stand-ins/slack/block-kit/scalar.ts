import { type Check, refuse } from './check.ts';
import { ID_CHARS, URL_CHARS } from './limits.ts';

/**
 * A string of `min` to `max` characters, without NUL and lone surrogates: neither survives Slack's JSON. Characters
 * are counted as UTF-16 code units, so an emoji counts as two where Slack counts one: text that passes here is never
 * too long for Slack.
 */
export function text(min: number, max: number, pattern?: RegExp): Check {
  return (value, at, inspection) => {
    if (typeof value !== 'string') refuse(inspection, 'must provide a string', at);
    else if (value.length < min) {
      refuse(inspection, `must be more than ${min - 1} characters`, at);
    } else if (value.length > max) {
      refuse(inspection, `must be less than ${max + 1} characters`, at);
    } else if (!value.isWellFormed() || value.includes('\0')) {
      refuse(inspection, 'must be valid UTF-8 without NUL characters', at);
    } else if (pattern && !pattern.test(value)) {
      refuse(inspection, `input must match regex pattern: ${pattern.source}`, at);
    }
  };
}

/** A block_id, an action_id, or another name with the same limit. */
export const id: Check = text(1, ID_CHARS);

export const flag: Check = (value, at, inspection) => {
  if (typeof value !== 'boolean') refuse(inspection, 'must be a boolean', at);
};

/** An integer from `min` to `max`, inclusive. */
export function integer(min: number, max: number): Check {
  return (value, at, inspection) => {
    if (!Number.isInteger(value)) refuse(inspection, 'must provide an integer', at);
    else if (Number(value) < min) refuse(inspection, `must be greater than ${min}`, at);
    else if (Number(value) > max) refuse(inspection, `must be less than ${max}`, at);
  };
}

/** One of these values, of the same type. */
export function oneOf(...values: readonly (string | number)[]): Check {
  return (value, at, inspection) => {
    if (!values.some((known) => known === value)) {
      refuse(inspection, 'must be a valid enum value', at);
    }
  };
}

const URL_TEXT = text(1, URL_CHARS);

/** A URL with one of these schemes, such as `https:`, that a URL parser accepts. */
function address(schemes: readonly string[]): Check {
  return (value, at, inspection) => {
    URL_TEXT(value, at, inspection);
    if (typeof value !== 'string' || value.length === 0) return;
    const url = URL.parse(value);
    if (!url || !schemes.includes(url.protocol)) {
      refuse(inspection, 'must provide a valid URL', at);
    }
  };
}

export const webUrl: Check = address(['http:', 'https:']);
/** What a link in rich text may open: web pages, mail, telephone, and Slack itself. */
export const linkUrl: Check = address(['http:', 'https:', 'mailto:', 'tel:', 'slack:']);

// The formats of Slack's IDs, from its OpenAPI description (github.com/slackapi/slack-api-specs).
export const userId: Check = text(1, ID_CHARS, /^[UW][A-Z0-9]+$/);
export const usergroupId: Check = text(1, ID_CHARS, /^S[A-Z0-9]+$/);
export const conversationId: Check = text(1, ID_CHARS, /^[CDG][A-Z0-9]+$/);
export const channelId: Check = text(1, ID_CHARS, /^[CG][A-Z0-9]+$/);
export const teamId: Check = text(1, ID_CHARS, /^[TE][A-Z0-9]+$/);
