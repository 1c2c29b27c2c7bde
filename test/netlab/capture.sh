#!/bin/sh
# Writes fixtures/net/captures/ anew, as root: the output of the real programs in the network lab.
#
# At its end it runs capture-status.sh, for ifconfig, netstat, nmcli and resolvectl, and capture-wire.sh, for DNS messages.
set -eu
cd "$(dirname "$0")/../.."
. ./test/netlab/captured.sh
rm -rf "$into"
mkdir -p "$into"
raise_the_lab

discover='nmap -sn -n --host-timeout 30s --max-retries 1 -oX -'
ports='nmap -n -Pn --max-retries 1 -oX -'
# shellcheck disable=SC2086  # lists of words
{
  capture nmap-discover cli $discover 10.77.0.0/24
  capture nmap-discover-empty cli $discover 10.77.0.128/28
  capture nmap-discover-user cli $discover --unprivileged 10.77.0.48/28
  capture nmap-ports-web cli $ports -p 22,80,443,2222,2323,8081,8082,8443 -- 10.77.0.80
  capture nmap-ports-top cli $ports --top-ports 100 -- 10.77.0.80
  capture nmap-ports-v6 cli $ports -6 -p 22,80,443 -- fd77::80
  capture nmap-ports-dead cli $ports -p 80,443 -- 10.77.0.99
  capture nmap-ports-far cli $ports -p 80,443 -- 192.168.99.9
  capture nmap-services cli $ports -sV --version-light -p 80,443,2222 -- 10.77.0.80
  capture nmap-services-timeout cli $ports -sV --host-timeout 1s -p 80,443,2222,2323 -- 10.77.0.80
  capture nmap-unresolvable cli $ports -p 80 -- nowhere.lab.test
  capture nmap-reasons cli $ports --reason -p 80,8081,8082 -- 10.77.0.80
}
capture ip-addr cli ip -j addr
capture ip-addr-rtr rtr ip -j addr
capture ip-link cli ip -j link
capture ip-route cli ip -j route
capture ip-route-rtr rtr ip -j route
capture ip-route6 cli ip -j -6 route
capture ip-route-get cli ip -j route get 192.168.99.9
capture ip-route-none sw ip -j route get 192.168.99.9
capture ip-neigh cli ip -j neigh
capture nmap-discover-no-route sw nmap -sn -n --host-timeout 30s --max-retries 1 -oX - 10.77.0.128/29
# shellcheck disable=SC2086  # lists of words
capture nmap-error cli $discover -e no-such-if 10.77.0.0/28
user='setpriv --reuid 65534 --regid 65534 --clear-groups'
# shellcheck disable=SC2086  # lists of words
capture nmap-discover-neighbours-user cli $user $discover 10.77.0.0/26
capture ip-neigh-after-user cli ip -j neigh
capture ip-route-get-blackhole rtr sh -c 'ip route add blackhole 10.60.0.0/24 && ip -j route get 10.60.0.1'
capture ip-route-get-prohibit rtr sh -c 'ip route add prohibit 10.62.0.0/24 && ip -j route get 10.62.0.1'
capture ip-addr-no-carrier rtr sh -c 'ip link add d0 type veth peer name d1 && ip addr add 10.9.9.1/29 dev d0 && ip link set d0 up && ip -j addr show d0'
capture ip-route-get-no-carrier rtr ip -j route get 10.9.9.6
capture ip-addr-off rtr sh -c 'ip link set d0 down && ip -j addr show d0'
capture ss-web web ss -H -tulpn
capture ss-dns dns ss -H -tulpn
capture ss-user web setpriv --reuid 65534 --regid 65534 --clear-groups ss -H -tulpn
capture ss-none cli ss -H -tulpn
capture resolv-conf cli cat /etc/resolv.conf
for type in A AAAA MX NS TXT SRV CAA CNAME SOA; do
  case $type in
    A | AAAA) name=web.lab.test ;;
    SRV) name=_http._tcp.lab.test ;;
    CNAME) name=www.lab.test ;;
    *) name=lab.test ;;
  esac
  capture "dig-$type" cli dig +noall +comments +answer +time=2 +tries=1 -q "$name" -t "$type"
done
ask='dig +noall +comments +answer +time=1 +tries=1'
# shellcheck disable=SC2086  # a list of words
{
  capture dig-PTR cli $ask -q 80.0.77.10.in-addr.arpa -t PTR
  capture dig-chain cli $ask -q www.lab.test -t A
  capture dig-two-answers cli $ask -q rebind.lab.test -t A
  capture dig-inject cli $ask -q inject.lab.test -t TXT
  capture dig-odd-txt cli $ask -q odd.lab.test -t TXT
  capture dig-nxdomain cli $ask -q nowhere.lab.test -t A
  capture dig-nodata cli $ask -q web.lab.test -t MX
  capture dig-refused cli $ask -q elsewhere.example -t A
  capture dig-timeout cli $ask @10.77.0.99 -q web.lab.test -t A
  capture dig-refused-connection cli $ask @10.77.0.80 -q web.lab.test -t A
  capture dig-leading-hyphen cli $ask -q -f -t A
}
capture ping-live cli ping -n -c 3 -i 0.2 -W 2 10.77.0.80
capture ping-v6 cli ping -n -c 3 -i 0.2 -W 2 fd77::80
capture ping-dead cli ping -n -c 2 -i 0.2 -W 1 10.77.0.99
capture ping-routed cli ping -n -c 2 -i 0.2 -W 1 192.168.99.9
capture ping-unreachable cli ping -n -c 2 -i 0.2 -W 1 192.168.98.9
capture ping-no-route sw ping -n -c 1 -W 1 10.77.0.80
capture ping-unresolvable cli ping -n -c 1 -W 1 nowhere.lab.test
capture ping-ttl cli ping -n -c 1 -W 1 -t 1 192.168.99.9
capture traceroute-far cli traceroute -n -w 2 -q 1 -m 20 192.168.99.9
capture traceroute-near cli traceroute -n -w 2 -q 1 -m 20 10.77.0.80
capture traceroute-dead cli traceroute -n -w 1 -q 1 -m 5 10.77.0.99
capture traceroute-v6 cli traceroute -n -w 2 -q 1 -m 20 fd77::80
capture traceroute-no-route sw traceroute -n -w 1 -q 1 -m 5 10.77.0.80
capture traceroute-unreachable cli traceroute -n -w 1 -q 1 -m 5 192.168.98.9

ask='curl -q -sS --max-time 5 --noproxy * --proto =http,https --max-redirs 0 -o /dev/null -w %{json}%{stderr}%{certs}'
set -f
# shellcheck disable=SC2086  # a list of words
{
  capture curl-http cli $ask --resolve web.lab.test:80:10.77.0.80 http://web.lab.test/
  capture curl-missing cli $ask --resolve web.lab.test:80:10.77.0.80 http://web.lab.test/missing
  capture curl-https-unknown-authority cli $ask --resolve web.lab.test:443:10.77.0.80 https://web.lab.test/
  capture curl-https-trusted cli $ask --cacert "$lab/tls/web.crt" --resolve web.lab.test:443:10.77.0.80 https://web.lab.test/
  capture curl-https-wrong-name cli $ask --cacert "$lab/tls/other.crt" --resolve web.lab.test:8443:10.77.0.80 https://web.lab.test:8443/
  capture curl-refused cli $ask --resolve web.lab.test:81:10.77.0.80 http://web.lab.test:81/
  capture curl-filtered cli $ask --connect-timeout 1 --resolve web.lab.test:8081:10.77.0.80 http://web.lab.test:8081/
  capture curl-silent cli $ask --max-time 1 --resolve web.lab.test:2323:10.77.0.80 http://web.lab.test:2323/
  capture curl-hostile cli $ask --resolve web.lab.test:2222:10.77.0.80 http://web.lab.test:2222/
  capture curl-unresolvable cli $ask http://nowhere.lab.test/
  capture curl-v6 cli $ask --resolve 'web.lab.test:80:[fd77::80]' http://web.lab.test/
}
capture no-such-program cli nmap-is-not-here -sn 10.77.0.80

say_lab

sh test/netlab/capture-status.sh
sh test/netlab/capture-wire.sh
