# Functions of .ci/run and its lanes. They source this file in the top folder of the checkout.
#
# $BEGAN    when the run began, in seconds
# $WORK     folder of the run, with the log of each lane and each installation, and how it ended
# $LANE     name of the lane
# $python   interpreter that everything is tested with, unless a lane names another
set -euo pipefail
# shellcheck disable=SC2034 # for those who source this file
python=${PYTHON:-python3}
NO_PYTHON=77

# Print a line after the seconds since the run began.
say() {
  local now
  printf -v now '%(%s)T' -1
  printf -- '-- %4d s: %s\n' "$((now - BEGAN))" "$*"
}

# Print the lines of .ci/wheels that are no comments.
wheels() {
  grep -v -e '^#' -e '^$' .ci/wheels
}

# Print the interpreter of a minor version: on PATH, of pyenv, from uv, or from Debian testing. The first time, one that
# the machine does not have is downloaded.
interpreter() {
  local candidate
  for candidate in "python$1" "$HOME/.pyenv/versions/$1".*/bin/python "$WORK/python-$1/usr/bin/python$1"; do
    if "$candidate" -c "import sys; sys.exit('%d.%d' % sys.version_info[:2] != '$1')" 2> /dev/null; then
      command -v "$candidate"
      return
    fi
  done
  if uv python install -q "$1" > "$WORK/python-$1.log" 2>&1; then
    uv python find --managed-python "$1"
  else
    .ci/debian-python "$1" "$WORK/python-$1" 2>> "$WORK/python-$1.log"
  fi
}

# Make an environment with requirements: environment FOLDER INTERPRETER REQUIREMENT...
environment() {
  local folder=$1 found=$2
  shift 2
  uv venv -q --python "$found" "$folder"
  VIRTUAL_ENV=$folder uv pip install -q "$@"
}

# Wait until an installation in the background has ended, and return how; show the log of one that failed.
installed() {
  until [ -s "$WORK/$1.ended" ]; do
    sleep 0.2
  done
  local code
  code=$(cat "$WORK/$1.ended")
  [ "$code" = 0 ] || cat "$WORK/$1.log"
  return "$code"
}

# Run tests, and note which: the last lane prints those that no lane ran.
tests() {
  python -m pytest -q -p tools.lanes.plugin --lane="$LANE" --lanes="$WORK/outcomes" "$@"
}

# Run the tests of a marker. Only the files that have any are collected: all of them take longer than these tests.
marked() {
  local marker=$1 files
  shift
  mapfile -t files < <(grep -rl --include='test_*.py' "pytest\.mark\.$marker\b" tests | sort)
  [ ${#files[@]} -gt 0 ] || { echo "no test has the marker $marker"; return 1; }
  tests -m "$marker" "$@" "${files[@]}"
}

# Run the tests that compare with releases of frameworks, against those that .ci/wheels lists under the names. The tests
# of a release for which the machine has no Python are skipped.
against_wheels() {
  local name version code _
  while read -r name version _; do
    case " $* " in *" $name "*) ;; *) continue ;; esac
    code=0
    installed "$name-$version" || code=$?
    case $code in
      0) export "OPSPEC_LINT_${name^^}_${version//./_}=$WORK/$name-$version/bin/python" ;;
      "$NO_PYTHON") ;;
      *) return "$code" ;;
    esac
  done < <(wheels)
  marked wheel
}

# Print the README's test command: an installation, `&&`, and what runs the tests.
test_command() {
  sed -n '/<!-- the test command -->/,/^```$/p' README.md | grep -v -e '^<!--' -e '^```'
}

# End a lane that cannot run here. Unless tools/lanes/expected_skips.toml lists the reason, the run fails.
skip_lane() {
  echo "$1" | tee "$WORK/outcomes/$LANE.skipped"
  exit 0
}
