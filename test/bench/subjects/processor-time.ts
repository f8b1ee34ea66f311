import { readFile } from 'node:fs/promises';

/** Positions of user and system time after the name in /proc/pid/stat (proc(5)), in ticks of 10 ms. */
const USER_TIME = 11;
const SYSTEM_TIME = 12;
const MS_PER_TICK = 10;

/** The CPU time of a process since its start, in ms (Linux). */
export async function processorTimeOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * MS_PER_TICK;
}
