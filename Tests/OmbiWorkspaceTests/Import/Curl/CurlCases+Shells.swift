/// Quoting, and the forms that other programs copy.
extension CurlCase {
    static let quotes = [
        CurlCase(#"curl HOST -d 'it'\''s'"#), CurlCase(#"curl HOST -d "a \"b\" \\ \c""#),
        CurlCase(#"curl HOST -d a\ b\"c"#),
        CurlCase(#"curl HOST -d $'it\'s\ta\n\u0021\x41\101\\n'"#), CurlCase(#"curl HOST -d $'\u00e9\U0001F600'"#),
        CurlCase(#"curl HOST -d 'a'"b"c$'d'"#), CurlCase("curl HOST \\\n  -H 'X-A: 1' \\\n  -d a=1"),
        CurlCase("curl HOST \\\r\n  -H 'X-A: 1' \\\r\n  -d a=1\r\n", bash: "curl HOST -H 'X-A: 1' -d a=1"),
        CurlCase("curl HOST -d 'a\nb' # a comment"), CurlCase("# a comment\n\ncurl HOST/a#b"),
        CurlCase(#"curl HOST -d '${x} $5 `a` "$y"'"#), CurlCase(#"curl HOST -d "cost: \$5""#),
        CurlCase(#"curl HOST -d "50% $ off""#),
        CurlCase(#"curl HOST -d 'a ^"b^" c'"#), CurlCase(#"curl HOST -d "a=""b""#),
        CurlCase("curl HOST -d 'it'\\''s `\nx'"), CurlCase("curl HOST -d $'it\\'s ^\nx' # it's ^\n"),
        CurlCase("curl HOST -d @- <<EOF\nit's ^\nx\nEOF\n"),
        CurlCase("curl HOST/a -d '' ; echo done", loses: "echo", sent: true),
        CurlCase("curl HOST/a?b=1&c=2", loses: "& c=…", sent: true), CurlCase("curl HOST | cat"),
        CurlCase("curl HOST > out.txt"), CurlCase("curl -s HOST 2>/dev/null"), CurlCase("curl HOST >/dev/null 2>&1"),
        CurlCase("curl HOST \\ \n -d a=1", bash: "curl HOST -d a=1"), CurlCase("'curl' \"HOST\""),
        CurlCase("$ curl HOST/prompt", bash: "curl HOST/prompt"), CurlCase("LC_ALL=C /usr/bin/curl HOST"),
    ]

    static let variables = [
        CurlCase(#"curl HOST -H "Authorization: Bearer $TOKEN""#), CurlCase(#"curl "HOST/$TOKEN/x?y=${TOKEN}z""#),
        CurlCase(#"curl "HOST/a?q=a+b&x&&y=%2f$TOKEN""#),
        CurlCase(#"curl HOST -d "{\"t\": \"$TOKEN\"}" -H 'Content-Type: application/json'"#),
        CurlCase(#"curl HOST -d "{$TOKEN} \{${TOKEN}}" -H "X-A: {$TOKEN}""#), CurlCase(#"curl HOST -u "ada:$TOKEN""#),
        CurlCase(#"curl HOST -d "a=$(date)""#, loses: "$(date)"),
        CurlCase(#"curl HOST -d "a=`date`""#, loses: "`date`"), CurlCase(#"curl HOST -d "a=$1""#, loses: "$1"),
    ]

    static let inputs = [
        CurlCase("curl HOST -d @- <<EOF\na=1\n&b=$TOKEN\nEOF\n"),
        CurlCase("curl HOST --data-binary @- <<'EOF'\na $TOKEN\n\nb\nEOF"),
        CurlCase("curl HOST --json @- <<-END\n\t{\n\t\"a\": 1}\n\tEND\n"), CurlCase("curl HOST -d @- <<< a=1"),
        CurlCase("echo '{\"a\":1}' | curl --json @- HOST"), CurlCase("curl HOST -d @- < form.txt"),
        CurlCase("curl HOST --data-binary @- <<EOF | cat\nx\nEOF\n"),
    ]

    static let several = [
        CurlCase("curl HOST/a HOST/b"), CurlCase("curl HOST/a -d x=1 HOST/b --url HOST/c"),
        CurlCase("curl -d x=1 HOST/a --next -H 'X-B: 1' HOST/b"), CurlCase("curl -I HOST/a -: HOST/b"),
        CurlCase("curl HOST/a; curl HOST/b\ncurl HOST/c && curl HOST/d"),
        CurlCase("(curl HOST/a)"), CurlCase("( (curl HOST/a -d 'x(1)'; curl HOST/b) | cat ) && curl HOST/c"),
        CurlCase("curl 'HOST/a(b)' -d \"(c)\"; (curl HOST/d?e=f)>out.txt"),
        CurlCase("\u{FEFF}curl HOST/mark", bash: "curl HOST/mark"),
    ]

    /// As Chrome, Firefox, Safari, Insomnia, Postman and documentation write them.
    static let tools = [
        CurlCase(
            #"""
            curl 'HOST/api/users?page=2' \
              -H 'accept: application/json, text/plain, */*' \
              -H 'accept-language: en-US,en;q=0.9' \
              -b 'sid=abc; theme="dark"' \
              -H 'sec-ch-ua: "Chromium";v="130", "Not?A_Brand";v="99"' \
              -H 'user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36' \
              --data-raw $'{"name":"Zo\u00eb\u0021","note":"it\'s\\n"}' \
              --compressed
            """#),
        CurlCase(
            #"curl 'HOST/a' --compressed -X POST -H 'User-Agent: Mozilla/5.0' -H 'Accept-Encoding: gzip, deflate' "#
                + #"-H 'Content-Type: application/json' -H 'Pragma: no-cache' --data-raw '{"a":[1,2]}'"#),
        CurlCase(
            #"""
            curl 'HOST/a' \
            -X 'PUT' \
            -H 'Content-Type: application/json' \
            -H 'Referer: http://from.test/' \
            --data-binary '{"a":"b"}'
            """#),
        CurlCase(
            #"""
            curl --request POST \
              --url 'HOST/a?x=1' \
              --header 'Content-Type: application/json' \
              --header 'User-Agent: insomnia/10.0.0' \
              --cookie 'a=b; c=d' \
              --data '{
            	"name": "Ada"
            }'
            """#),
        CurlCase(
            #"""
            curl --location 'HOST/a' \
            --header 'Authorization: Bearer abc' \
            --data-urlencode 'grant_type=client_credentials' \
            --data-urlencode 'scope=a b'
            """#),
        CurlCase("curl --location --request GET 'HOST/a?x=y' --header 'X-A: 1'"),
        CurlCase("curl --location --globoff 'HOST/a?x[]=1&x[]=2'"),
        CurlCase("curl -fsSL -X POST HOST/v1/charges -u sk_test: -d amount=2000 -d currency=usd -d 'metadata[id]=7'"),
        CurlCase("curl -L -H 'Accept: application/vnd.github+json' -H 'X-GitHub-Api-Version: 2022-11-28' HOST/repos"),
        CurlCase("curl -i -k -X POST HOST/a --json '{}'", loses: "-k", sent: true),
        CurlCase(
            #"curl HOST/graphql -H 'Content-Type: application/json' -d '{"query":"query { a(id: \"1\") { b } }"}'"#),
    ]

    /// What stands in front of a command, and what gives it its text and its options.
    static let prefixes = [
        CurlCase("timeout -k 2s 5 curl -d a=1 HOST"), CurlCase("time -p curl HOST/a"), CurlCase("X=1 curl HOST/a"),
        CurlCase("env -u Y X=1 nice -n 1 curl HOST/a"),
        CurlCase("command -v curl >/dev/null && curl HOST/a", loses: "command"),
        CurlCase("http_proxy='' curl HOST/a", loses: "http_proxy"),
        CurlCase("cat text.txt | curl --data-binary @- -H 'Content-Type: text/plain' HOST/a"),
        CurlCase("cat form.txt | curl -d @- HOST/a"), CurlCase("echo -n '{\"a\": 1}' | curl --json @- HOST/a"),
        CurlCase("curl -K config.txt HOST/a"), CurlCase("curl -K - HOST/a <<'E'\nuser = \"ada:pw\"\nE"),
    ]

    static let cmd = [
        CurlCase(
            "curl \"HOST/a?b=1&c=2\" ^\r\n  -H \"accept: */*\" ^\r\n  --compressed",
            bash: "curl 'HOST/a?b=1&c=2' --compressed"),
        CurlCase(
            #"curl "HOST/a" ^"# + "\n" + #"  -H "X-A: 1" --data-raw "{\"a\":\"b c\"}""#,
            bash: #"curl HOST/a -H 'X-A: 1' --data-raw '{"a":"b c"}'"#),
        CurlCase(
            #"curl ^"HOST/a?b=1^&c=2^" ^"# + "\n" + #"  -H ^"content-type: application/json^" ^"# + "\n"
                + #"  --data-raw ^"^{^\^"a^\^":^\^"50^%^ ^\^\x^\^"^}^""#,
            bash: #"curl 'HOST/a?b=1&c=2' -H 'content-type: application/json' --data-raw '{"a":"50% \x"}'"#),
        CurlCase("curl ^\"HOST/a^\" ^\n --data-raw ^\"x^\n\ny^\"", bash: "curl HOST/a --data-raw 'x\ny'"),
        CurlCase(#"curl "HOST/a" -d "{""a"":""b""}""#, bash: #"curl HOST/a -d '{"a":"b"}'"#),
        CurlCase(#"curl.exe "HOST/a" -d "a\\b\"c\\" -H "X-A: 1""#, bash: #"curl HOST/a -d 'a\\b"c\' -H 'X-A: 1'"#),
    ]

    static let powerShell = [
        CurlCase(
            "curl.exe 'HOST/a?b=1&c=2' `\n  -H 'X-A: it''s' `\n  -d 'a=1'",
            bash: "curl 'HOST/a?b=1&c=2' -H \"X-A: it's\" -d a=1"),
        CurlCase(
            "curl.exe \"HOST/a\" `\r\n  -H \"X-A: $env:TOKEN\" `\r\n  -d \"x`ny\"",
            bash: "curl HOST/a -H \"X-A: $TOKEN\" -d $'x\\ny'"),
        CurlCase(#"curl.exe -X POST 'HOST/a' --json '{\"a\": \"b\"}'"#, bash: #"curl HOST/a --json '{"a": "b"}'"#),
        CurlCase(
            #"curl.exe 'HOST/a' --json '{"a": "b"}' | ConvertFrom-Json"#, bash: #"curl HOST/a --json '{"a": "b"}'"#),
        CurlCase("curl.exe \"HOST/a\" `\n -d \"say \"\"hi\"\" `$5\"", bash: "curl HOST/a -d 'say \"hi\" $5'"),
    ]

    static let policies = [
        CurlCase("curl --digest -u ada:secret HOST"), CurlCase("curl --ntlm -u 'CORP\\ada:secret' HOST"),
        CurlCase("curl --ntlm -u ada:secret -d a=1 HOST"), CurlCase("curl --negotiate -u : HOST"),
        CurlCase("curl -n HOST", sent: false), CurlCase("curl --netrc-file users HOST", sent: false),
        CurlCase("curl -n -u ada:secret HOST", sent: false),
        CurlCase("curl --retry 3 --retry-delay 2 -m 10 HOST"),
        CurlCase("curl --retry 1 --max-time 2.5 --retry-max-time 20 HOST"),
        CurlCase("curl --connect-timeout 5 --http1.1 -4 HOST"), CurlCase("curl --resolve a:80:127.0.0.1 HOST"),
        CurlCase("curl --limit-rate 0 HOST"), CurlCase("curl --max-redirs 3 -L HOST"),
        CurlCase("curl --limit-rate 10M HOST"),
        CurlCase("curl --retry 2 --retry-connrefused HOST", loses: "--retry-connrefused", sent: true),
    ]

    static let lost = [
        CurlCase("curl -F 'a=(;type=multipart/mixed' -F b=1 -F 'c=)' HOST", loses: "-F a=(", "-F c=)"),
        CurlCase("curl -T text.txt HOST/up/", loses: "-T"),
        CurlCase("curl -T '{body.json,text.txt}' HOST/up/", loses: "{body.json,text.txt}", "-T"),
        CurlCase("curl -F a=1 -H 'Content-Type: application/json' HOST", loses: "-H Content-Type"),
        CurlCase("curl --data-binary @<(date) HOST", loses: "<(date)"),
        CurlCase("curl -T <(cat text.txt) HOST/a", loses: "-T", "<(cat …)"),
        CurlCase("curl --anyauth -u a:b HOST", loses: "--anyauth", sent: true),
        CurlCase("curl --ntlm --digest -u a:b HOST", loses: "--ntlm"),
        CurlCase("curl --ntlm -n HOST", loses: "-n"),
        CurlCase("curl --anyauth -H 'Authorization: Bearer a' HOST", loses: "--anyauth", sent: true),
        CurlCase("curl --noproxy a.test HOST", loses: "--noproxy a.test", sent: true),
        CurlCase("curl --aws-sigv4 osc:osc -u a:b HOST", loses: "--aws-sigv4"),
        CurlCase("curl --capath /ca HOST", loses: "--capath"), CurlCase("curl -u ada HOST", loses: "-u"),
        CurlCase("curl --preproxy socks5://proxy.test HOST", loses: "--preproxy"),
        CurlCase("curl -G -T text.txt -d a=1 HOST/up/", loses: "-T"),
        CurlCase("curl 'HOST/[1-3]'", loses: "[1-3]"), CurlCase("curl 'HOST/{a,b}'", loses: "{a,b}"),
        CurlCase("curl HOST/users/:id", loses: "/:id"), CurlCase("curl --path-as-is HOST/a/../b", loses: "/a/../b"),
        CurlCase("curl -K options.txt HOST", loses: "-K"),
        CurlCase("curl -H 'User-Agent:' HOST", loses: "-H User-Agent"),
        CurlCase("curl -A '' HOST", loses: "-A User-Agent"), CurlCase("curl -F =1 -F a=1 HOST", loses: "-F =1"),
        CurlCase("curl -F 'a=1;headers=\"X-A: 1\"' HOST", loses: "-F ;headers=X-A"),
        CurlCase("curl -F 'a=1;encoder=base64' HOST", loses: "-F ;encoder=base64"),
        CurlCase("curl --key k --pass p HOST", loses: "--key", "--pass"), CurlCase("curl -U a:b HOST", loses: "-U"),
        CurlCase("curl --pinnedpubkey key.pem HOST", loses: "--pinnedpubkey key.pem"),
        CurlCase("curl -H nothing HOST", loses: "-H nothing"),
        CurlCase("curl --resolve '*:443:127.0.0.1' HOST", loses: "--resolve *:443", sent: true),
        CurlCase("curl -e ';auto' HOST", loses: "-e ;auto", sent: true),
        CurlCase("curl --tr-encoding HOST", loses: "--tr-encoding"),
        CurlCase("curl -X HEAD -d a=1 HOST", loses: "-d"),
    ]
}
