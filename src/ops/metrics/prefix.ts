/** Begins the names of the app's own metrics. */
export const PREFIX = 'design_request_';
