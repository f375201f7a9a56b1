#!/usr/bin/env bash
# The one comment on a pull request; whatever keeps it from being written is said and fails nothing.
set -uo pipefail

: "${RUNNER_TEMP:?}" "${ACTION_PATH:?}"
tools="$RUNNER_TEMP/compat-action/bin"
[ -d "$tools" ] || tools="$RUNNER_TEMP/compat-action/Scripts"
python="${ACTION_PYTHON:-$tools/python}"

"$python" -I "$ACTION_PATH/.github/action/comment.py" ||
  echo "::notice::compat could not write its comment; the summary of the run and the annotations say the same."
