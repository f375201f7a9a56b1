#!/usr/bin/env bash
# One check of the change that an event brings: log, annotations, summary, reports and outputs.
#
# Everything that an event or a pull request decides comes in through the environment and stays data. The step itself
# succeeds; what the check ended with is the output exit-code.
set -uo pipefail

: "${RUNNER_TEMP:?}" "${GITHUB_OUTPUT:?}" "${ACTION_PATH:?}"
tools="$RUNNER_TEMP/compat-action/bin"
[ -d "$tools" ] || tools="$RUNNER_TEMP/compat-action/Scripts"
compat="${ACTION_COMPAT:-$tools/compat}"
python="${ACTION_PYTHON:-$tools/python}"
reports="$(mktemp -d "$RUNNER_TEMP/compat-report.XXXXXX")"
# The reports say where they are; what compat reads from the environment for itself is not for an event to set.
unset COMPAT_OUTPUT COMPAT_FORMAT COMPAT_CHECK_OUTPUT COMPAT_CHECK_FORMAT

# A repository's own configuration can name programs; none of them is asked here.
safe_git() {
  GIT_TERMINAL_PROMPT=0 git -c core.hooksPath=/dev/null -c core.fsmonitor=false -c safe.bareRepository=explicit \
    -c protocol.ext.allow=never "$@"
}

# Lines that begin with two colons are commands to the runner. What a repository says must not be one.
hush() {
  stop="stop-$("$python" -I -c 'import secrets; print(secrets.token_hex(16))')"
  echo "::stop-commands::$stop"
}

speak() {
  echo "::$stop::"
}

shallow() {
  [ "$(safe_git rev-parse --is-shallow-repository 2>/dev/null)" = true ]
}

# A clone of one branch alone lacks the branch that a pull request goes into; the merge commit of one is enough.
targetless() {
  [ -n "${GITHUB_BASE_REF:-}" ] || return 1
  ! safe_git rev-parse --verify --quiet "HEAD^2" >/dev/null &&
    ! safe_git rev-parse --verify --quiet --end-of-options "refs/remotes/origin/$GITHUB_BASE_REF^{commit}" >/dev/null
}

# In a complete clone nothing is fetched: a fetch with a depth would cut off what is there.
deepen() {
  local options=(--tags)
  if shallow; then
    options+=(--unshallow)
  elif ! targetless; then
    return 0
  fi
  local what=(origin)
  if [ -n "${GITHUB_BASE_REF:-}" ] && safe_git check-ref-format "refs/heads/$GITHUB_BASE_REF"; then
    what+=("+refs/heads/$GITHUB_BASE_REF:refs/remotes/origin/$GITHUB_BASE_REF")
  fi
  if [ "${ACTION_FETCH:-true}" != true ]; then
    echo "The clone is not complete. To bring the rest: git fetch ${options[*]} ${what[*]}"
    echo "In a workflow, let actions/checkout do it: fetch-depth: 0"
    return 0
  fi
  echo "The clone is not complete: git fetch ${options[*]} ${what[*]}"
  safe_git fetch --quiet --no-recurse-submodules "${options[@]}" "${what[@]}" ||
    echo "That failed. Let actions/checkout do it: fetch-depth: 0"
}

check() {
  local arguments=("--fail-on=${ACTION_FAIL_ON:-breaking}" --color=never)
  [ -z "${ACTION_BASE:-}" ] || arguments+=("--base=$ACTION_BASE")
  [ -z "${ACTION_CONFIG:-}" ] || arguments+=("--config=$ACTION_CONFIG")
  local name path
  for name in json markdown github sarif; do
    arguments+=("--also=$name=$reports/report.$name")
  done
  arguments+=(--)
  while IFS= read -r path; do
    [ -z "$path" ] || arguments+=("$path")
  done <<<"${ACTION_PATHS:-}"
  "$compat" check "${arguments[@]}" 2>&1
}

hush
deepen
check
code=$?
speak

[ ! -f "$reports/report.github" ] || cat "$reports/report.github"
if [ "${ACTION_BUMP:-true}" = true ] && [ -f "$reports/report.json" ]; then
  # What it objects to is for the release; here only the number is asked.
  "$compat" gate --format=json --output="$reports/gate.json" --quiet >/dev/null 2>&1
fi

"$python" -I "$ACTION_PATH/.github/action/outputs.py" "$reports" "$code" >>"$GITHUB_OUTPUT" || code=3
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then
  if [ -f "$reports/report.markdown" ]; then
    cat "$reports/report.markdown" >>"$GITHUB_STEP_SUMMARY"
  else
    echo "**compat could not check this change.** The log of the step says why." >>"$GITHUB_STEP_SUMMARY"
  fi
fi
if [ "$code" -ne 0 ] && [ ! -f "$reports/report.json" ]; then
  echo "::error title=could not be checked::compat ended with $code; the log of this step says why."
fi
exit 0
