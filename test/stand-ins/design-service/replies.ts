export type Reply = {
  status: number;
  contentType?: string | undefined;
  body: string;
  headers?: Record<string, string> | undefined;
};

/** api.md shows no labels except the 429's, so these are our own. */
const ERROR_LABELS: Record<number, string> = {
  400: 'Validation Error',
  401: 'Authentication Error',
  403: 'Forbidden',
  404: 'Not Found',
  405: 'Method Not Allowed',
  413: 'Payload Too Large',
  415: 'Unsupported Media Type',
  429: 'Too Many Requests',
};

const PAGE =
  '<!doctype html><html><head><title>Design service</title></head>' +
  '<body><h1>Please stand by</h1><p>This page was not written for programs.</p></body></html>';

const JSON_TYPE = 'application/json; charset=utf-8';

export function jsonReply(status: number, value: unknown): Reply {
  return { status, contentType: JSON_TYPE, body: JSON.stringify(value) };
}

/** A page instead of JSON, as gateways and login walls send it. */
export function htmlReply(status: number): Reply {
  return { status, contentType: 'text/html; charset=utf-8', body: PAGE };
}

export function emptyReply(status: number): Reply {
  return { status, body: '' };
}

/** The error body of api.md 7. `details` maps field names to specific messages. */
export function errorReply(status: number, message: string, details?: Record<string, string>) {
  return jsonReply(status, {
    status: false,
    message,
    error: ERROR_LABELS[status] ?? 'Server Error',
    ...(details && { details }),
    statusCode: status,
  });
}

/** The 429 of api.md 7 and 8: the only one without `status`. */
export function rateLimitedReply(headers: Record<string, string>): Reply {
  const body = {
    statusCode: 429,
    message: 'You have made too many requests. Please try again later.',
    error: ERROR_LABELS[429],
  };
  return { ...jsonReply(429, body), headers };
}
