import Testing

/// A command line, of which curl and Ombi are to send the same. `HOST` is the server with its scheme, `ADDRESS` without.
struct CurlCase: Sendable, CustomTestStringConvertible {
    let line: String
    /// The same command for bash, where the line is for another shell.
    let bash: String
    /// The beginnings of what cannot be kept, in order. Then only these are checked, unless the case is `sent`.
    let losses: [String]
    let isSent: Bool

    init(_ line: String, bash: String? = nil, loses losses: String..., sent: Bool? = nil) {
        self.line = line
        self.bash = bash ?? line
        self.losses = losses
        isSent = sent ?? losses.isEmpty
    }

    var testDescription: String { line }

    static let all: [CurlCase] =
        addresses + methods + headers + cookies + credentials + data + encodedData + uploads + json + quotes + variables
        + inputs + several + forms + tools + prefixes + cmd + powerShell + policies + lost

    /// The files in the folder of the commands.
    static let files = [
        "body.json": "{\"a\": [1, 2.50],\n \"b\": \"é\"}\n", "text.txt": "line 1\r\nline 2\n\n",
        "form.txt": "a=1&b=2\n", "headers.txt": "X-One: 1\nX-Two: 2\n", "name.txt": "a b&c\n",
        "page.html": "<p>é</p>\n", "empty.txt": "",
        "config.txt": "# options\nheader = \"X-A: a \\\"b\\\"\"\n-H \"X-B: 1\"\ndata a=1\nsilent\n",
    ]

    private static let forms = [
        CurlCase("curl -F a=1 -F 'f=@body.json;type=application/json' HOST/a"),
        CurlCase("curl -F f=@body.json -F g=@text.txt HOST/a"), CurlCase("curl --form-string 'a=@b;type=c' HOST/a"),
        CurlCase("curl -F 'a=<name.txt' HOST/a"), CurlCase("curl -F 'a=b;type=text/plain' HOST/a"),
        CurlCase("curl -F 'a=<page.html' HOST/a"), CurlCase("curl -F 'a=<page.html;filename=a.png' HOST/a"),
        CurlCase("curl -F 'a=<body.json' HOST/a"), CurlCase("curl -F 'a=<page.html;type=a/b' HOST/a"),
        CurlCase("curl -F 'f=@text.txt;filename=a.png' HOST/a"),
        CurlCase("curl -F 'f=@body.json;filename=a.PDF' HOST/a"),
        CurlCase("curl -F 'f=@page.html;filename=a.b' HOST/a"), CurlCase("curl -F 'a=b;filename=a.svg' HOST/a"),
        CurlCase("curl -F 'a=b;filename=a.txt' HOST/a"), CurlCase("curl -F 'a=b;filename=a.b' HOST/a"),
        CurlCase("curl -F 'a={\"b\": 1};type=application/json; charset=utf-8' HOST/a"),
        CurlCase("curl -F 'f=@text.txt;filename=\"a;b.txt\"' HOST/a"), CurlCase("curl -F 'f=@\"text.txt\"' HOST/a"),
        CurlCase("curl -F 'a= x y ;TYPE=text/plain; p=1;b=c;filename= q ' HOST/a"), CurlCase("curl -F 'a=1;2' HOST/a"),
        CurlCase("curl -F 'a=\" k \";zz' -F 'b=x; y' HOST/a"),
        CurlCase("curl -X PUT -F a=é -F 'a=x y' HOST/a"), CurlCase("curl -F 'a\"b=1' HOST/a"),
        CurlCase("curl -H 'Content-Type: multipart/form-data' -F a=1 HOST/a"),
        CurlCase("curl -F 'a=@-' HOST/a < name.txt"), CurlCase("curl -F 'a=@-;filename=b.png' HOST/a <<< x"),
        CurlCase("echo x | curl -F 'a=@-;type=a/b' HOST/a"),
    ]

    private static let addresses = [
        CurlCase("curl HOST"), CurlCase("curl HOST/"), CurlCase("curl ADDRESS/no/scheme"),
        CurlCase("curl --url HOST/a/b"), CurlCase("curl HOST/a?b=c"), CurlCase("curl 'HOST/a?b=c&d=e&b=f'"),
        CurlCase("curl 'HOST?b=c'"), CurlCase("curl 'HOST/a?'"), CurlCase("curl 'HOST/a?b'"),
        CurlCase("curl 'HOST/a?b=&=c&&d'"), CurlCase("curl 'HOST/a?q=a+b'"), CurlCase("curl 'HOST/a?q=a%20b'"),
        CurlCase("curl 'HOST/a?q=%2F%2f&r=/'"), CurlCase("curl 'HOST/a?q=%C3%A9&r=a=b'"),
        CurlCase("curl 'HOST/a?q=é'"), CurlCase("curl 'HOST/é/%C3%A9'"), CurlCase("curl 'HOST/a%2Fb/c%20d'"),
        CurlCase("curl 'HOST/a#part'"), CurlCase("curl 'HOST/a?b=c#part?d'"), CurlCase("curl HOST/a/../b/./c/.."),
        CurlCase("curl -g 'HOST/a?b[0]=1&b[1]=2'"), CurlCase("curl --globoff 'HOST/{a,b}'"),
        CurlCase("curl 'HOST/a:b/c;d=e/f,g'"), CurlCase("curl HTTP://ADDRESS/Upper"),
        CurlCase("curl 'HOST/a?redirect=http://x.test/?y=1'"), CurlCase("curl 'HOST/?q=\"x\"'"),
        CurlCase("curl -- HOST/a"), CurlCase("curl 'HOST/a?=b&c=d'"), CurlCase("curl -G -d = HOST/a"),
        CurlCase("curl --url-query 'a=b c' --url-query '+x=y' HOST/a?z=1"),
        CurlCase("curl 'HOST/a?b\\[c\\]=1&\\{d\\}=2'"), CurlCase("curl 'HOST/a?b[]=1'"),
        CurlCase("curl 'HOST/a\\b\\\\c'"), CurlCase("curl --proto-default http ADDRESS/a"),
    ]

    private static let methods = [
        CurlCase("curl -X DELETE HOST/a"), CurlCase("curl -XPOST HOST/a"), CurlCase("curl --request PUT HOST/a"),
        CurlCase("curl -X PATCH -d a=1 HOST/a"), CurlCase("curl -I HOST/a"), CurlCase("curl --head HOST/a"),
        CurlCase("curl -X OPTIONS HOST/a"), CurlCase("curl -X GET -d a=1 HOST/a"),
        CurlCase("curl -X PUT -X POST HOST/a"), CurlCase("curl -X PROPFIND -H 'Depth: 1' HOST/a"),
        CurlCase("curl -X M-SEARCH -d a=1 HOST/a"), CurlCase("curl -X purge HOST/a", loses: "-X purge"),
        CurlCase("curl -sSLXPOST HOST/a -da=1"), CurlCase("curl --heade 'X-A: 1' HOST/a"),
        CurlCase("curl --js '{}' HOST/a"), CurlCase("curl --JSON '{}' --SIL HOST/a"),
        CurlCase("curl --user-a x --glo HOST/a"),
    ]

    private static let headers = [
        CurlCase("curl -H 'X-A: 1' HOST"), CurlCase("curl -H 'X-A:1' -H 'x-b:  two  words ' HOST"),
        CurlCase("curl -HX-A:1 HOST"), CurlCase("curl --header 'Accept: application/json' HOST"),
        CurlCase("curl -H 'X-Empty;' HOST"), CurlCase("curl -H 'X-None:' HOST"), CurlCase("curl -H 'Accept:' HOST"),
        CurlCase("curl -H 'X-A: 1' -H 'X-A: 2' HOST"), CurlCase("curl -H @headers.txt HOST"),
        CurlCase("curl -A 'agent/1' HOST"), CurlCase("curl -A a -H 'User-Agent: b' HOST"),
        CurlCase("curl -e http://from.test/ HOST"), CurlCase("curl -r 0-99 HOST"), CurlCase("curl -r 5 HOST"),
        CurlCase("curl -r 5,7 HOST"), CurlCase("curl -r -5 HOST"), CurlCase("curl --compressed HOST"),
        CurlCase("curl -H 'Host: other.test' HOST"), CurlCase("curl -H 'Accept-Encoding: gzip, deflate, br' HOST"),
        CurlCase("curl -H 'X-Quote: \"a\", b=\"c;d\"' HOST"), CurlCase("curl -H 'X-É: é' HOST", loses: "-H X-É"),
        CurlCase("curl -H 'X; ' -H 'X-A;' HOST", loses: "-H X;", sent: true),
        CurlCase("curl -A '' -H 'User-Agent: b' HOST"),
        CurlCase("curl -H 'If-None-Match: W/\"x\"' -H 'Cache-Control: no-cache' HOST"),
        CurlCase("curl -H 'Content-Type: application/json' HOST"), CurlCase("curl -H 'X-A: a:b:c' HOST"),
        CurlCase("curl -d a=1 -H 'Content-Type: text/a' -H 'content-type: text/b' HOST"),
        CurlCase("curl -d '{}' -H 'Content-Type: application/json' -H 'Content-Type: text/b' HOST"),
        CurlCase("curl -H 'Authorization: Bearer a' -H 'Authorization: Basic b' HOST"),
        CurlCase("curl -u a:b -H 'Authorization: Bearer a' -H 'Authorization: Bearer b' HOST"),
    ]

    private static let cookies = [
        CurlCase("curl -b a=b HOST"), CurlCase("curl -b 'a=\"x=y\"; c=d' HOST"), CurlCase("curl -b a=b -b c=d HOST"),
        CurlCase("curl -H 'Cookie: a=b; c=d' HOST"), CurlCase("curl -b a=b -H 'Cookie: c=d' HOST"),
        CurlCase("curl -b jar.txt HOST", loses: "-b jar.txt"), CurlCase("curl -c jar.txt HOST", loses: "-c"),
    ]

    private static let credentials = [
        CurlCase("curl -u ada:secret HOST"), CurlCase("curl -u ada: HOST"), CurlCase("curl -u 'ada:a:b c' HOST"),
        CurlCase("curl --user ada:é --basic HOST"), CurlCase("curl http://ada:se%40cret@ADDRESS/a"),
        CurlCase("curl -u x:y http://ada:secret@ADDRESS/a"), CurlCase("curl --oauth2-bearer abc HOST"),
        CurlCase("curl -H 'Authorization: Bearer a.b-c' HOST"), CurlCase("curl -H 'Authorization: bearer abc' HOST"),
        CurlCase("curl -H 'Authorization: Basic YWRhOnNlY3JldA==' HOST"),
        CurlCase("curl -H 'Authorization: Basic not-base64' HOST"), CurlCase("curl -H 'authorization: Token abc' HOST"),
        CurlCase("curl -u a:b -H 'Authorization:' HOST"), CurlCase("curl --oauth2-bearer t -H 'Authorization:' HOST"),
        CurlCase("curl -H 'authorization:' http://ada:secret@ADDRESS/a"),
        CurlCase("curl -u a:b -H 'Authorization: Bearer abc' HOST"), CurlCase("curl -H 'X-Api-Key: k' HOST"),
    ]

    private static let data = [
        CurlCase("curl -d a=1 HOST"), CurlCase("curl -d a=1 -d b=2 HOST"), CurlCase("curl --data 'a=1&b=2 3' HOST"),
        CurlCase("curl --data-ascii a=1 HOST"), CurlCase("curl -d '' HOST"), CurlCase("curl -d plain HOST"),
        CurlCase("curl --data-raw @name HOST"), CurlCase("curl --data-raw 'a=%20+&b=c*~' HOST"),
        CurlCase("curl -d @form.txt HOST"), CurlCase("curl -d @text.txt HOST"),
        CurlCase("curl --data-binary @text.txt HOST"), CurlCase("curl --data-binary @text.txt -d x=y HOST"),
        CurlCase("curl -G -d a=1 -d b=2 HOST/p"), CurlCase("curl -G -d a=1 'HOST/p?z=0'"),
        CurlCase("curl --get --data-urlencode 'q=a b&c' HOST/p"), CurlCase("curl -GI -d a=1 HOST/p"),
        CurlCase("curl -G --json '{\"a\":1}' HOST/p"), CurlCase("curl -G -F a=1 HOST/p"),
        CurlCase("curl --noproxy '*' HOST"), CurlCase("curl -G -d a=1 'HOST/p?z&'"),
        CurlCase("curl -G -d a=1 --url-query b=2 HOST/p"),
        CurlCase("curl -d '<a>é</a>' -H 'Content-Type: text/xml; charset=utf-8' HOST"),
        CurlCase("curl -d 'a=1' -H 'Content-Type: application/x-www-form-urlencoded; charset=UTF-8' HOST"),
        CurlCase("curl -d '{\"a\":1}' HOST"), CurlCase("curl -d 'a={{' -d 'b={{ x y }}' -d 'c=\\{{z' HOST"),
        CurlCase(
            "curl -d text -H 'Content-Type: text/plain' -H 'Content-Length: 4' HOST", loses: "-H Content-Length",
            sent: true),
        CurlCase("curl -d 'line 1\nline 2' -H 'Content-Type: text/plain' HOST"),
        CurlCase("curl -d a=1 -H 'Content-Type:' HOST", loses: "-d"),
        CurlCase("curl -d @missing.txt HOST", loses: "-d @missing.txt"),
    ]

    private static let encodedData = [
        CurlCase("curl --data-urlencode 'a b&c' HOST"), CurlCase("curl --data-urlencode '=a=b' HOST"),
        CurlCase("curl --data-urlencode 'n=a b/é~*' HOST"), CurlCase("curl --data-urlencode @name.txt HOST"),
        CurlCase("curl --data-urlencode n@name.txt HOST"), CurlCase("curl --data-urlencode n@empty.txt HOST"),
        CurlCase("curl -d a=1 --data-urlencode n@empty.txt HOST"),
        CurlCase("curl --data-urlencode n=1 -d m=2 HOST"),
        CurlCase("curl --data-urlencode \"a=$TOKEN & b=é\" HOST"),
        CurlCase("curl --url-query \"a=$TOKEN&b\" HOST/a"),
    ]

    /// Files in the order of the URLs that they go to.
    private static let uploads = [
        CurlCase("curl -H 'Content-Type: a/b' -T text.txt HOST/a/ HOST/b"),
        CurlCase("curl -H 'Content-Type: a/b' -T text.txt -T body.json HOST/a/ HOST/b/"),
        CurlCase("curl -H 'Content-Type: a/b' HOST/a/ -T text.txt --url HOST/b/ -T form.txt"),
        CurlCase("curl -H 'Content-Type: a/b' -T text.txt -T body.json HOST/a/"), CurlCase("curl -T '' HOST/a/"),
        CurlCase("curl -H 'Content-Type: a/b' -T '' HOST/a/ -T text.txt HOST/b/"),
    ]

    private static let json = [
        CurlCase("curl --json '{\"a\": 1.50, \"z\": [true, null], \"b\": \"\\u00e9\"}' HOST"),
        CurlCase("curl --json '{\"a\":1' --json ',\"b\":2}' HOST"), CurlCase("curl --json @body.json HOST"),
        CurlCase("curl --json '[]' -H 'Content-Type: application/vnd.api+json' -H 'Accept: text/csv' HOST"),
        CurlCase("curl -d '{\"a\":12345678901234567890,\"a\":2}' -H 'Content-Type: application/json' HOST"),
        CurlCase("curl -d '{ not json' -H 'Content-Type: application/json' HOST"),
        CurlCase("curl -d @body.json -H 'content-type: application/json; charset=utf-8' HOST"),
        CurlCase("curl -X PUT --json '\"text\"' HOST"), CurlCase("curl --json '{\"a\":\"{{\",\"{{b\":1}' HOST"),
    ]
}
