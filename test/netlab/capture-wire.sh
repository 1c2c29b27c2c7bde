#!/bin/sh
# Records DNS answers into fixtures/net/captures/: what dig prints about each, and the raw message in hexadecimal as NAME.hex.
set -eu
cd "$(dirname "$0")/../.."
. ./test/netlab/captured.sh
raise_the_lab

# wire NAME OWNER TYPE: ask for the records of TYPE of the name OWNER, and record the answer as wire-NAME.
wire() {
  name=wire-$1 owner=$2 type=$3
  set -- dig +noall +comments +answer +time=2 +tries=1 @127.0.0.1 -p 5353 -q "$owner" -t "$type"
  record "$name" sh test/netlab/netlab.sh exec "$lab" cli env LC_ALL=C.UTF-8 \
    python3 test/netlab/relay.py "$into/$name.hex" 10.77.0.53 "$@"
  note "$name" "$@"
}
wire A web.lab.test A
wire AAAA web.lab.test AAAA
wire MX lab.test MX
wire NS lab.test NS
wire TXT lab.test TXT
wire SRV _http._tcp.lab.test SRV
wire CAA lab.test CAA
wire CNAME www.lab.test CNAME
wire PTR 80.0.77.10.in-addr.arpa PTR
wire SOA lab.test SOA
CHECKED=yes
export CHECKED
wire checked web.lab.test A
unset CHECKED
wire chain www.lab.test A
wire two rebind.lab.test A
wire inject inject.lab.test TXT
wire odd odd.lab.test TXT
wire nxdomain nowhere.lab.test A
wire nodata web.lab.test MX
wire refused elsewhere.example A
say_lab
