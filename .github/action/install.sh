#!/usr/bin/env bash
# Installs compat from the action's own files into an environment that no other step uses.
set -euo pipefail

: "${ACTION_PYTHON:?}" "${ACTION_PATH:?}" "${RUNNER_TEMP:?}"
room="$RUNNER_TEMP/compat-action"

# -I: neither the working folder nor the environment decides what is imported; the folder is a stranger's.
"$ACTION_PYTHON" -I -m venv --clear "$room"
# Where Windows keeps them.
tools="$room/bin"
[ -d "$tools" ] || tools="$room/Scripts"
"$tools/python" -I -m pip install --quiet --disable-pip-version-check \
  --constraint "$ACTION_PATH/constraints.txt" "$ACTION_PATH"
"$tools/compat" --version
