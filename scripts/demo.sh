#!/bin/sh
# A first model on real text: the Free On-line Dictionary of Computing, from Debian's package dict-foldoc.
#
#     scripts/demo.sh [EZLDA]
#
# Results stay in build/demo/. If the package is not available, a synthetic corpus is used instead.
set -eu

cd "$(dirname "$0")/.."
ezlda=${1:-build/ezlda}
out=build/demo
dictionary=/usr/share/dictd/foldoc.dict.dz
index=/usr/share/dictd/foldoc.index

[ -x "$ezlda" ] || { echo "demo: $ezlda not found; run make first" >&2; exit 1; }
mkdir -p "$out"

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi

# A heading, then the command as it would be typed, then its output.
step() {
    printf '\n%s%s%s\n' "$bold" "$1" "$plain"
    shift
    printf '$ ezlda'
    for word; do
        case $word in *[\ \#]*) printf " '%s'" "$word" ;; *) printf ' %s' "$word" ;; esac
    done
    printf '\n'
    "$ezlda" "$@"
}

have_dictionary() {
    [ -r "$dictionary" ] && [ -r "$index" ] && return 0
    [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null || return 1
    echo "Installing dict-foldoc ..."
    { apt-get install -y -q --no-install-recommends dict-foldoc ||
        { apt-get update -q && apt-get install -y -q --no-install-recommends dict-foldoc; }; } >"$out/apt.log" 2>&1
    [ -r "$dictionary" ] && [ -r "$index" ]
}

# The index has one headword, offset and length per line, with numbers in base 64; several headwords may share an article. An
# article opens with its headwords at the left margin; the body is indented, mostly with a <category> first and a
# (date) last.
dictionary_to_json() {
    gzip -dc <"$dictionary" >"$out/foldoc.txt"
    LC_ALL=C awk -F '\t' '
        function number(digits,    i, n) {
            n = 0
            for (i = 1; i <= length(digits); i++)
                n = n * 64 + index(alphabet, substr(digits, i, 1)) - 1
            return n
        }
        function quoted(s) {
            gsub(/\\/, "&&", s)
            gsub(/"/, "\\\\&", s)
            gsub(/[\001-\037\177]/, " ", s)
            gsub(/  +/, " ", s)
            gsub(/^ | $/, "", s)
            return "\"" s "\""
        }
        BEGIN { alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/" }
        RS != "\n" { text = $0; next }
        $1 ~ /^00-?database/ || ($2 in seen) { next }
        {
            seen[$2] = 1
            article = substr(text, number($2) + 1, number($3))
            end = index(article, "\n")
            name = substr(article, 1, end - 1)
            body = substr(article, end + 1)
            label = ""
            if (match(body, /<[A-Za-z][A-Za-z0-9 ,\/-]*>/) && body ~ /^[^<]*\n *</) {
                label = substr(body, RSTART + 1, RLENGTH - 2)
                body = substr(body, 1, RSTART - 1) substr(body, RSTART + RLENGTH)
                sub(/,.*/, "", label)
            }
            date = ""
            if (match(body, /\([0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]\)[ \n]*$/)) {
                date = substr(body, RSTART + 1, 10)
                body = substr(body, 1, RSTART - 1)
            }
            gsub(/[a-z]+:\/\/[^ )}\n]*/, "", body)
            gsub(/[{}]/, "", body)
            printf "{\"id\": %s, \"text\": %s, \"label\": %s, \"date\": %s}\n", quoted(name), quoted(name " " body),
                quoted(label), quoted(date)
        }' RS='\001' "$out/foldoc.txt" RS='\n' "$index" >"$out/foldoc.jsonl"
    rm "$out/foldoc.txt"
}

if have_dictionary; then
    echo "The Free On-line Dictionary of Computing: each article is a document, its category a label."
    dictionary_to_json
    echo "$out/foldoc.jsonl: $(wc -l <"$out/foldoc.jsonl") articles; for example:"
    awk 'NR == 3000 { print substr($0, 1, 160) " ..." }' "$out/foldoc.jsonl"
    corpus=$out/foldoc.ezc model=$out/foldoc.ezm article=Ethernet
    title="The Free On-line Dictionary of Computing"
    step "1. Text to words: names, labels and dates are kept, stop words and rare words are removed" \
        import "$out/foldoc.jsonl" --keep-fields date -o "$corpus"
else
    echo "dict-foldoc is not available (no package, or no permission to install it): a synthetic corpus is used instead."
    corpus=$out/synthetic.ezc model=$out/synthetic.ezm article=#3000
    title="A synthetic corpus"
    step "1. A synthetic corpus, drawn from the model itself" \
        synth --docs 15000 --words 20000 --length 60 --topics 40 --seed 1 -o "$corpus"
fi

step "2. Training: 40 topics; the priors are fitted to the articles" \
    train "$corpus" -k 40 -i 300 --seed 1 --summary "$out/summary.json" -o "$model"
step "3. All topics, the words that set each apart first" topics "$model" --lambda 0.6 -n 9 --sort share
largest=$("$ezlda" topics "$model" --sort share -n 1 --tsv | awk 'NR == 2 { print $1 }')
step "4. The articles nearest to the largest topic" docs "$model" --topic "$largest" -n 8
step "5. The topics of one article" docs "$model" --doc "$article"
step "6. A page to look at all of it" report "$model" "$corpus" -o "$out/report.html" --title "$title"

printf '\n%sOpen %s/report.html in a browser:%s it is one file and needs no network. Everything else is in %s/.\n' \
    "$bold" "$out" "$plain" "$out"
echo "Next, try your own text: ezlda help import"
