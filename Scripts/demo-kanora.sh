#!/usr/bin/env bash
# Demonstrates the music library: creates a folder of music by invented artists, scans it, finds, edits and checks tracks, and scans again
# after changes to the folder. In a terminal, it then serves the library to a browser until it is interrupted; otherwise, and with
# --once, it exits. Needs no network. 'make demo-kanora' installs the encoders.
set -euo pipefail
. "$(dirname "$0")/demo-parts.sh"

folder=.demo-kanora
music=$folder/music
store=$folder/Kanora.sqlite
log=$folder/encoders.log
export LC_ALL=C.UTF-8

# Creates a cover in two colors, with a frame: cover FILE COLOR COLOR
cover() {
  ffmpeg -nostdin -v error -y -f lavfi -i "color=c=$2:s=480x480" \
    -vf "drawbox=x=60:y=60:w=360:h=360:color=$3:t=fill,drawbox=x=150:y=150:w=180:h=180:color=$2:t=fill" \
    -frames:v 1 "$1" >>"$log" 2>&1
}

# Creates a random chord: chord FILE SECONDS HERTZ
chord() {
  ffmpeg -nostdin -v error -y -f lavfi -i \
    "aevalsrc=0.12*sin(2*PI*$3*t)+0.1*sin(2*PI*$3*1.25*t)+0.1*sin(2*PI*$3*1.5*t):d=$2:s=44100" \
    -ac 2 "$1" >>"$log" 2>&1
}

# Creates a track: track FORMAT ARTIST ALBUM YEAR GENRE NUMBER TITLE COVER
made=0
track() {
  local format=$1 artist=$2 album=$3 year=$4 genre=$5 number=$6 title=$7 cover=$8
  local place="$music/$artist/$album" tone=$folder/tone.wav
  local file="$place/$(printf '%02d' "$number") $title.$format"
  mkdir -p "$place"
  made=$((made + 1))
  chord "$tone" $((6 + made % 5)) $((180 + 23 * made))
  case $format in
    flac)
      flac --silent -o "$file" --picture "3||||$cover" -T "TITLE=$title" -T "ARTIST=$artist" -T "ALBUM=$album" \
        -T "DATE=$year" -T "GENRE=$genre" -T "TRACKNUMBER=$number" "$tone" >>"$log" 2>&1
      ;;
    mp3)
      lame --silent --id3v2-utf16 --tt "$title" --ta "$artist" --tl "$album" --ty "$year" --tg "$genre" \
        --tn "$number" --ti "$cover" "$tone" "$file" >>"$log" 2>&1
      ;;
    ogg)
      oggenc --quiet -o "$file" -c "TITLE=$title" -c "ARTIST=$artist" -c "ALBUM=$album" -c "DATE=$year" \
        -c "GENRE=$genre" -c "TRACKNUMBER=$number" "$tone" >>"$log" 2>&1
      ;;
    opus)
      opusenc --quiet --picture "$cover" --comment "TITLE=$title" --comment "ARTIST=$artist" --comment "ALBUM=$album" \
        --comment "DATE=$year" --comment "GENRE=$genre" --comment "TRACKNUMBER=$number" "$tone" "$file" >>"$log" 2>&1
      ;;
    m4a | wav)
      ffmpeg -nostdin -v error -y -i "$tone" -metadata "title=$title" -metadata "artist=$artist" \
        -metadata "album=$album" -metadata "date=$year" -metadata "genre=$genre" -metadata "track=$number" \
        "$file" >>"$log" 2>&1
      ;;
  esac
}

# Creates an album whose cover is in the folder of its files: album FORMAT ARTIST ALBUM YEAR GENRE COLOUR COLOUR TITLE…
album() {
  local format=$1 artist=$2 name=$3 year=$4 genre=$5 number=0 cover="$music/$2/$3/cover.png" title
  mkdir -p "$music/$artist/$name"
  cover "$cover" "$6" "$7"
  shift 7
  for title in "$@"; do
    number=$((number + 1))
    track "$format" "$artist" "$name" "$year" "$genre" "$number" "$title" "$cover"
  done
}

for command in ffmpeg flac lame oggenc opusenc; do
  if ! command -v "$command" >/dev/null; then
    echo "There is no $command. 'make demo-kanora' installs it." >&2
    exit 1
  fi
done
Scripts/install-packages.sh
build_examples kanora

rm -rf "$folder"
mkdir -p "$folder"

title "Making music of invented artists in $music"
album flac "The Paper Lanterns" "Low Tide" 1998 Rock navy orange "Harbour Lights" "Salt" "Slow Ferry" "Low Tide"
album mp3 "The Paper Lanterns" "Attic Recordings" 2003 Rock maroon gold "Dust" "Window Seat" "Old Radio"
album ogg "Élodie Varga" "Nuit claire" 2015 Chanson teal white "Nuit claire" "Les toits" "Où est la mer"
album opus "Kaido Trio" "東の風" 1961 Jazz black crimson "東の風" "Blue Signal" "Night Train Home"
album m4a "Northern Relay" "Carrier Wave" 2021 Electronic purple cyan "Handshake" "Carrier Wave" "Lost Packet"
album wav "Marta Quill" "Field Notes" 2019 Folk olive khaki "Meadow" "Rain on Tin"
cp "$music/The Paper Lanterns/Low Tide/02 Salt.flac" "$music/copy of Salt.flac"
echo "This is no music." >"$music/broken.mp3"
echo "$made tracks, a copy of one of them, and a file that is no music"

title "The first scan: kanora scan $music --store $store"
"$tools/kanora" scan "$music" --store "$store"

title "A query: kanora search year:1990..2010 -salt"
"$tools/kanora" search year:1990..2010 -salt --store "$store"

title "An edit, shown first: kanora edit album:attic --set genre=Indie"
"$tools/kanora" edit album:attic --set genre=Indie --store "$store"
"$tools/kanora" edit album:attic --set genre=Indie --apply --store "$store" | tail -n 1

title "Playlists: one in an order, and one that follows from a query"
"$tools/kanora" playlist make "Evening" artist:kaido --store "$store"
"$tools/kanora" playlist smart "After 2000" "year:>2000" --sort year --descending --store "$store"
"$tools/kanora" playlist show "After 2000" --store "$store"

title "The folder changes: a file is moved, another one deleted; the second scan knows them"
mkdir "$music/moved"
mv "$music/Northern Relay/Carrier Wave/01 Handshake.m4a" "$music/moved/"
rm "$music/Marta Quill/Field Notes/02 Rain on Tin.wav"
"$tools/kanora" scan "$music" --store "$store"

title "Duplicates, and what is wrong: kanora duplicates, kanora check"
"$tools/kanora" duplicates --store "$store"
"$tools/kanora" check --store "$store" || true

title "Numbers: kanora stats"
"$tools/kanora" stats --store "$store"

title "What to try next"
cat <<TEXT
  $tools/kanora serve --store $store
  $tools/kanora browse --store $store
  $tools/kanora export --format csv --store $store
  $tools/kanora --help

The music and the store are kept in $folder until the next 'make demo-kanora'.

Docs/Kanora.md describes the application. Docs/FirstHour.md builds your first programs with the library.
TEXT
[ -z "$ends" ] || exit 0

title "The library in a browser; Ctrl-C ends it"
exec "$tools/kanora" serve --store "$store"
