import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';

/**
 * A time as the service writes it: `DD-Mon-YYYY hh:mm AM/PM` (api.md 2.2), without zone or seconds, in `timezone`
 * (IANA name).
 */
export function serviceTimestamp(moment: Date, timezone: string): string {
  return format(new TZDate(moment, timezone), 'dd-MMM-yyyy hh:mm a');
}
