#!/bin/sh
# Opens a report in headless Chromium and looks whether it came out right.
#
#   scripts/check_report.sh REPORT_DIR [PICTURE.png]
#
# Checks that the page loads by itself (no network), that its scripts run without an error, and that its plots are drawn;
# writes a picture of the page if asked. Installs nothing; says so where Chromium is missing (exit status 3).
set -eu

if [ $# -lt 1 ]; then
    echo "usage: $0 REPORT_DIR [PICTURE.png]" >&2
    exit 2
fi
folder=$1
picture=${2:-}
page=$folder/report.html
if [ ! -f "$page" ]; then
    echo "$page: no such file: expected the folder of a report" >&2
    exit 1
fi

chromium=
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then
        chromium=$name
        break
    fi
done
if [ -z "$chromium" ]; then
    echo "Chromium is not installed (looked for chromium, chromium-browser, google-chrome): nothing was checked" >&2
    exit 3
fi

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
address=file://$(cd "$folder" && pwd)/report.html
# Every host leads nowhere: a page that needs the network shows it.
run() {
    "$chromium" --headless=new --no-sandbox --disable-gpu --no-first-run --hide-scrollbars --user-data-dir="$scratch/profile" \
        --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr --v=0 "$@" "$address" 2>"$scratch/log"
}

run --dump-dom >"$scratch/dom"
failed=0
check() {
    if [ "$2" = yes ]; then echo "ok      $1"; else echo "FAILED  $1"; failed=1; fi
}
has() { if grep -q -- "$1" "$scratch/dom"; then echo yes; else echo no; fi; }
check "the page has a heading" "$(has '<h1>')"
check "the page has a table of ratings" "$(has '<h2>Ratings</h2>')"
plots=$(grep -o '<svg ' "$scratch/dom" | wc -l)
check "$plots plots are drawn, at least 5" "$([ "$plots" -ge 5 ] && echo yes || echo no)"
check "the page ends where it should" "$(has 'How to read this')"
if grep -q 'id="game"' "$scratch/dom"; then
    check "the example game stands at a position (the script ran)" "$(has 'step[^"]* now"')"
fi
check "no message of an error in the console" "$(if grep -q 'CONSOLE' "$scratch/log"; then echo no; else echo yes; fi)"
check "nothing from elsewhere is asked for" \
    "$(if grep -Eq '(src|href)="?(https?:)?//|url\((https?:)?//' "$page"; then echo no; else echo yes; fi)"

if [ -n "$picture" ]; then
    run --window-size=960,4200 --screenshot="$picture" >/dev/null
    check "a picture of it is in $picture" "$([ -s "$picture" ] && echo yes || echo no)"
fi
exit "$failed"
