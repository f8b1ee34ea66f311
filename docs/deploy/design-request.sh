#!/bin/sh
# Runs an operator command of the installed app as the app's user, with its settings: design-request doctor
exec systemd-run --quiet --pipe --wait --collect --uid=design-request --working-directory=/var/lib/design-request \
  --property=EnvironmentFile=/etc/design-request/env --property=UMask=0077 \
  /usr/bin/node /opt/design-request/current/app.js "$@"
