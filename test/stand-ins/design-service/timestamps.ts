import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns/format';

/**
 * A moment as the service writes it: `DD-Mon-YYYY hh:mm AM/PM` (api.md 2.2), without zone or
 * seconds, read on a clock in `timezone` (IANA name).
 */
export function serviceTimestamp(moment: Date, timezone: string): string {
  return format(new TZDate(moment, timezone), 'dd-MMM-yyyy hh:mm a');
}
