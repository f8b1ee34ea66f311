/** Says how to find out which process listens on a TCP port. */
export function portInUse(port: number): string {
  const command =
    process.platform === 'win32'
      ? `netstat -ano | findstr :${port}`
      : `lsof -nP -iTCP:${port} -sTCP:LISTEN`;
  return `Port ${port} is in use; \`${command}\` shows by which process.`;
}
