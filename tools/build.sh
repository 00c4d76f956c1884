# What ./run and ./test share; sourced by them from the root of the project. Sets up, configures and builds the release
# preset. What the phases print goes to build/<phase>.log and is shown when they fail; stderr tells how far they are.

preset=release
mkdir -p build/cache build/tmp

# Everything that the tools of a build or test leave behind stays below build/.
export XDG_CACHE_HOME=$PWD/build/cache
export CCACHE_DIR=${CCACHE_DIR:-$PWD/build/cache/ccache}
export TMPDIR=$PWD/build/tmp TEST_TMPDIR=$PWD/build/tmp
export PYTHONDONTWRITEBYTECODE=1

# phase NAME COMMAND...: runs the command with its output in build/NAME.log; when it fails, so does the script.
phase() {
  local name=$1 log=build/$1.log start=$EPOCHREALTIME code=0
  shift
  "$@" 2>&1 9>&- | show_progress "$name" "$log" || code=$?
  if ((code)); then
    tail -n 60 "$log" >&2
    printf '%s failed (exit code %d); the whole log: %s\n' "$name" "$code" "$log" >&2
    exit "$code"
  fi
  printf '%-10s ok  %6s s\n' "$name" "$(seconds_since "$start")" >&2
}

# show_progress NAME LOG: copies its input to the log and says on stderr that something happens. A terminal has one line
# that is drawn anew, each second at least. Anything else gets a line at each tenth of a build, or else each 30 seconds,
# and nothing of what is over within 5 seconds. Lines that begin with "setup: " are meant for the user and are shown.
show_progress() {
  local name=$1 start=$SECONDS line= part= status= shown_at=$SECONDS step=0 total= percent=0 columns=80 terminal=
  if [[ -t 2 && ${TERM:-dumb} != dumb ]]; then
    terminal=yes columns=$(stty size <&2 2>/dev/null | cut -d' ' -f2)
    ((${columns:-0} > 0)) || columns=80
  fi
  while true; do
    if IFS= read -r -t 1 line; then
      line=$part$line part=
      printf '%s\n' "$line" >&8
      if [[ $line == "setup: "* ]]; then
        printf '%s%s\n' "${terminal:+$'\r\e[K'}" "$line" >&2
      elif [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*) ]]; then  # ninja's
        [[ ${BASH_REMATCH[2]} == "$total" ]] || step=0
        total=${BASH_REMATCH[2]} percent=$((BASH_REMATCH[1] * 100 / BASH_REMATCH[2]))
        printf -v status '%3d %%  [%s/%s]  %s' "$percent" "${BASH_REMATCH[1]}" "$total" "${BASH_REMATCH[3]##*/}"
      else
        status=${line//[^[:print:]]/ }
      fi
    elif (($? > 128)); then  # a second has passed; what was read of the next line is kept
      part+=$line
    else
      [[ -z $part$line ]] || printf '%s\n' "$part$line" >&8
      break
    fi
    [[ $status ]] || continue  # nothing was said: a tool may be asking for a password
    if [[ $terminal ]]; then
      printf -v line '%-10s %4d s  %s' "$name" $((SECONDS - start)) "$status"
      printf '\r\e[K%s' "${line:0:columns-1}" >&2
    elif ((SECONDS - start >= 5 && (percent / 10 > step || SECONDS - shown_at >= 30))); then
      printf '%-10s %4d s  %s\n' "$name" $((SECONDS - start)) "$status" >&2
      step=$((percent / 10)) shown_at=$SECONDS
    fi
  done 8>"$2"
  [[ -z $terminal ]] || printf '\r\e[K' >&2
}

# Tenths of a second, in whole numbers because the decimal point of EPOCHREALTIME depends on the locale.
seconds_since() {
  local tenths=$(((${EPOCHREALTIME/[.,]/} - ${1/[.,]/}) / 100000))
  echo "$((tenths / 10)).$((tenths % 10))"
}

# configure ON|OFF: with or without tests and benchmarks, which need more packages; what is there already is kept.
# ninja itself configures again when a CMake file or the set of sources changes; the presets it does not know.
configure() {
  local made=build/$preset/build.ninja cache=build/$preset/CMakeCache.txt options=()
  if [[ $1 == ON ]]; then
    grep -qsx VITRO_TESTS:BOOL=ON "$cache" || options=(-DVITRO_TESTS=ON -DVITRO_BENCH=ON)
  else
    [[ -e $cache ]] || options=(-DVITRO_TESTS=OFF -DVITRO_BENCH=OFF)
  fi
  [[ -z ${options[*]} && $made -nt CMakePresets.json && $made -nt cmake/ccache.cmake ]] ||
    cmake --preset "$preset" "${options[@]}"
}

# set_up_and_build TESTS TARGET...: TESTS, ON or OFF, says whether tests are to be built. The lock lets two of them run
# side by side.
set_up_and_build() {
  local tests=$1 sets=(run)
  shift
  [[ $tests == OFF ]] || sets+=(test)
  exec 9>build/lock
  flock 9
  phase setup tools/setup "${sets[@]}"
  phase configure configure "$tests"
  phase build cmake --build --preset "$preset" --target "$@"
  exec 9>&-
}
