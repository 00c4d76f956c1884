# What ./run and ./test share; sourced by them from the root of the project. Sets up, configures and builds the release
# preset. One line per phase on stderr; what the phases print goes to build/<phase>.log and is shown when they fail.

preset=release
mkdir -p build/cache build/tmp

# Everything that the tools of a build or test leave behind stays below build/.
export XDG_CACHE_HOME=$PWD/build/cache
export CCACHE_DIR=${CCACHE_DIR:-$PWD/build/cache/ccache}
export TMPDIR=$PWD/build/tmp TEST_TMPDIR=$PWD/build/tmp
export PYTHONDONTWRITEBYTECODE=1

# phase NAME COMMAND...: runs the command with its output in build/NAME.log; when it fails, so does the script.
# The command may use descriptor 3 for a line that must not wait, such as "installing ...".
phase() {
  local name=$1 log=build/$1.log start=$EPOCHREALTIME code=0
  shift
  "$@" 3>&2 >"$log" 2>&1 9>&- || code=$?
  if ((code)); then
    tail -n 60 "$log" >&2
    printf '%s failed (exit code %d); the whole log: %s\n' "$name" "$code" "$log" >&2
    exit "$code"
  fi
  printf '%-10s ok  %6s s\n' "$name" "$(seconds_since "$start")" >&2
}

# Tenths of a second, in whole numbers because the decimal point of EPOCHREALTIME depends on the locale.
seconds_since() {
  local tenths=$(((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}) / 100000))
  echo "$((tenths / 10)).$((tenths % 10))"
}

# ninja itself configures again when a CMake file or the set of sources changes; the presets it does not know.
configure() {
  local made=build/$preset/build.ninja
  [[ $made -nt CMakePresets.json && $made -nt cmake/ccache.cmake ]] || cmake --preset "$preset"
}

# set_up_and_build TARGET...: the lock lets two of them run side by side.
set_up_and_build() {
  exec 9>build/lock
  flock 9
  phase setup tools/setup
  phase configure configure
  phase build cmake --build --preset "$preset" --target "$@"
  exec 9>&-
}
