const TWO = 2;
const THREE = 3;

/** `11:42:07.031`, in the reader's time zone. */
export function timeOfDay(ms: number): string {
  const at = new Date(ms);
  const two = (part: number) => String(part).padStart(TWO, '0');
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${time}.${String(at.getMilliseconds()).padStart(THREE, '0')}`;
}
