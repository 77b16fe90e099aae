/// An option of curl: its names, and its meaning for a request.
struct CurlOption: Sendable, Equatable {
    /// Without the dashes.
    var name: String
    var letter: Character?
    var takesValue: Bool
    var effect: Effect

    enum Effect: Sendable, Equatable {
        case request(Part)
        /// Concerns only what curl prints and writes.
        case output
        /// A request cannot hold it; what to do instead.
        case lost(String)
    }

    /// A part of a request, named as its option.
    enum Part: String, Sendable, CaseIterable {
        case formString = "form-string"
        case awsSignature = "aws-sigv4"
        case anyauth, basic, config, negotiate, netrc, noproxy, ntlm
        case compressed, cookie, data, digest, form, get, globoff, head, header, insecure, json, location, next
        case range, referer
        case request, retry, url, user
        case key, pass, proxy, resolve, http2, http3, interface, ipv4, ipv6
        case caFile = "cacert"
        case certificate = "cert"
        case cookieJar = "cookie-jar"
        case connectTimeout = "connect-timeout"
        case http1 = "http1.1"
        case http2PriorKnowledge = "http2-prior-knowledge"
        case limitRate = "limit-rate"
        case maximumRedirects = "max-redirs"
        case pins = "pinnedpubkey"
        case protocolDefault = "proto-default"
        case proxyAnyauth = "proxy-anyauth"
        case proxyBasic = "proxy-basic"
        case proxyDigest = "proxy-digest"
        case proxyNegotiate = "proxy-negotiate"
        case proxyNTLM = "proxy-ntlm"
        case proxyUser = "proxy-user"
        case socks4, socks4a, socks5
        case socks5Hostname = "socks5-hostname"
        case tls1_0 = "tlsv1.0"
        case tls1_1 = "tlsv1.1"
        case tls1_2 = "tlsv1.2"
        case tls1_3 = "tlsv1.3"
        case unixSocket = "unix-socket"
        case dataAscii = "data-ascii"
        case dataBinary = "data-binary"
        case dataRaw = "data-raw"
        case dataURLEncode = "data-urlencode"
        case netrcFile = "netrc-file"
        case netrcOptional = "netrc-optional"
        case ntlmHelper = "ntlm-wb"
        case maximumTime = "max-time"
        case oauth2Bearer = "oauth2-bearer"
        case pathAsIs = "path-as-is"
        case retryDelay = "retry-delay"
        case retryMaximumTime = "retry-max-time"
        case uploadFile = "upload-file"
        case urlQuery = "url-query"
        case userAgent = "user-agent"
    }
}

extension CurlOption {
    static func named(_ letter: Character) -> CurlOption? { all.first { $0.letter == letter } }

    /// The option of a long name, or of the only one that begins so, in letters of either case, like curl.
    static func named(_ name: String) -> CurlOption? {
        let name = name.lowercased()
        let beginning = all.filter { $0.name.hasPrefix(name) }
        return beginning.first { $0.name == name } ?? (beginning.count == 1 ? beginning[0] : nil)
    }

    static let names = all.map(\.name)

    static let all: [CurlOption] =
        read(parts) { .request(Part(rawValue: $0) ?? .url) } + read(output) { _ in .output }
        + lost.flatMap { remedy, names in read(names) { _ in .lost(remedy) } }

    /// Reads `name`, `name:letter`, and the same with `=` at the end for those that take a value.
    private static func read(_ names: String, _ effect: (String) -> Effect) -> [CurlOption] {
        names.split(whereSeparator: \.isWhitespace).map { entry in
            let takesValue = entry.last == "="
            let parts = (takesValue ? entry.dropLast() : entry).split(separator: ":", maxSplits: 1)
            let name = String(parts[0])
            return CurlOption(
                name: name, letter: parts.count > 1 ? parts[1].first : nil, takesValue: takesValue,
                effect: effect(name))
        }
    }

    private static let parts = """
        anyauth negotiate netrc:n netrc-file= netrc-optional noproxy= ntlm ntlm-wb
        aws-sigv4= basic compressed cookie:b= data:d= data-ascii= data-binary= data-raw= data-urlencode= digest form:F= form-string= get:G
        globoff:g head:I header:H= insecure:k json= location:L max-time:m= next:: oauth2-bearer= path-as-is range:r= referer:e=
        request:X= retry= retry-delay= retry-max-time= upload-file:T= url= url-query= user:u= user-agent:A=
        cacert= cert:E= connect-timeout= http1.1 http2 http2-prior-knowledge http3 interface= ipv4:4 ipv6:6 key= limit-rate=
        max-redirs= pass= pinnedpubkey= proxy:x= proxy-anyauth proxy-basic proxy-digest proxy-negotiate proxy-ntlm
        config:K= cookie-jar:c= proto-default=
        proxy-user:U= resolve= socks4= socks4a= socks5= socks5-hostname= tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 unix-socket=
        """

    private static let output = """
        buffer:N clobber create-dirs create-file-mode= disable:q dump-header:D= fail:f fail-early fail-with-body include:i
        keepalive keepalive-time= libcurl= no-buffer no-clobber no-progress-meter output:o= output-dir=
        parallel:Z parallel-immediate parallel-max= progress-bar:# progress-meter raw remote-header-name:J
        remote-name:O remote-name-all remote-time:R remove-on-error show-error:S silent:s ssl-no-revoke
        ssl-revoke-best-effort stderr= styled-output suppress-connect-headers tcp-fastopen tcp-nodelay
        trace= trace-ascii= trace-config= trace-ids trace-time use-ascii:B verbose:v write-out:w= xattr
        """

    /// The remedy for credentials of other kinds.
    static let uncomputed =
        "Ombi does not compute these credentials; send an Authorization header, or use another kind under Auth"

    /// By remedy.
    private static let lost: [(String, String)] = [
        (uncomputed, "delegation= login-options= service-name="),
        (
            "a collection has a file of trusted authorities: caFile in Connection",
            "capath= ca-native crlfile="
        ),
        (
            "Connection has no such setting of TLS",
            """
            cert-status cert-type= ciphers= curves= doh-cert-status doh-insecure egd-file= engine= false-start
            key-type= random-file= ssl ssl-allow-beast ssl-auto-client-cert
            ssl-reqd sslv2:2 sslv3:3 tls-max= tls13-ciphers= tlsauthtype= tlspassword= tlsuser= tlsv1:1
            no-alpn no-npn no-sessionid sessionid alpn npn
            """
        ),
        (
            "Ombi signs in to a proxy with Basic alone, with the user and the password in its URL",
            "proxy-service-name="
        ),
        ("no header goes to the proxy alone", "proxy-header="),
        (
            "write the proxy as a URL in Connection, with user and password: http://USER:PASSWORD@HOST:PORT",
            "proxy1.0="
        ),
        (
            "Connection has no such setting of a proxy",
            """
            haproxy-protocol haproxy-clientip= proxy-ca-native
            proxy-cacert= proxy-capath= proxy-cert= proxy-cert-type= proxy-ciphers= proxy-crlfile=
            proxy-http2 proxy-insecure proxy-key= proxy-key-type= proxy-pass=
            proxy-pinnedpubkey= proxy-ssl-allow-beast proxy-ssl-auto-client-cert
            proxy-tls13-ciphers= proxy-tlsauthtype= proxy-tlspassword= proxy-tlsuser= proxy-tlsv1
            proxytunnel:p socks5-basic socks5-gssapi socks5-gssapi-nec socks5-gssapi-service=
            """
        ),
        (
            "Ombi chooses the connection itself",
            """
            abstract-unix-socket= alt-svc= connect-to= dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-url=
            expect100-timeout= happy-eyeballs-timeout-ms= hsts= http0.9 http1.0:0
            http3-only ip-tos= local-port= no-keepalive
            tr-encoding vlan-priority=
            """
        ),
        ("set Timeout and SLA in the request's policy", "speed-limit:Y= speed-time:y="),
        ("retryOn in the request's policy lists the failures", "retry-all-errors retry-connrefused"),
        (
            "Ombi follows redirects by its own rules",
            "location-trusted post301 post302 post303 proto-redir= disallow-username-in-url"
        ),
        (
            "cookies: true in Connection keeps cookies while Ombi runs",
            "junk-session-cookies:j"
        ),
        ("add the header for it", "etag-compare= etag-save= time-cond:z= continue-at:C="),
        ("no limit of this kind", "max-filesize= rate= ignore-content-length"),
        ("Ombi sends the path of the URL", "request-target="),
        ("Ombi writes %22 for a quote in the name of a part", "form-escape"),
        ("its value is not read; write {{name}}, and a variable in the environment", "variable="),
        ("no proxy is in front of another; the request goes without this one", "preproxy="),
        (
            "not for HTTP",
            """
            append:a compressed-ssh crlf disable-eprt disable-epsv ftp-account= ftp-alternative-to-user= ftp-create-dirs
            ftp-method= ftp-pasv ftp-port:P= ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control
            hostpubmd5= hostpubsha256= krb= list-only:l mail-auth= mail-from= mail-rcpt= mail-rcpt-allowfails metalink
            pubkey= quote:Q= sasl-authzid= sasl-ir telnet-option:t= tftp-blksize= tftp-no-options proto= help:h manual:M
            version:V
            """
        ),
    ]
}

struct CurlArgument: Equatable {
    var option: CurlOption
    /// Nil for a flag.
    var value: ShellWord?
    /// False for `--no-…`.
    var isOn = true
    /// In bytes of the text.
    var offset: Int
    /// The option as it is written: `-X`, `--request`.
    var written: String

    fileprivate func subject(_ value: String?) -> String { value.map { "\(written) \($0)" } ?? written }
}

/// The options between two `--next`, in order, which all URLs among them share.
struct CurlOperation: Equatable {
    var arguments: [CurlArgument] = []
    var urls: [ShellWord] = []
    /// The standard input.
    var input: [UInt8]?
    var inputFile: ShellWord?
    var offset: Int

    /// Returns the last argument of an option that takes effect.
    func last(_ part: CurlOption.Part) -> CurlArgument? {
        arguments.last { $0.option.effect == .request(part) }
    }

    func isOn(_ part: CurlOption.Part) -> Bool { last(part)?.isOn ?? false }

    func all(_ parts: CurlOption.Part...) -> [CurlArgument] {
        arguments.filter { argument in parts.contains { argument.option.effect == .request($0) } }
    }
}

/// Reads the words behind `curl` as curl does.
struct CurlArguments {
    private var words: ArraySlice<ShellWord>
    private var operations: [CurlOperation]
    private let files: (_ path: String) -> [UInt8]?
    /// The files of options so far; the maximum bounds those that name themselves.
    private var configs = 0
    private(set) var log: ImportLog

    private static let maximumConfigs = 8

    init(
        _ words: ArraySlice<ShellWord>, _ command: ShellLine, offset: Int,
        _ files: @escaping (_ path: String) -> [UInt8]?, _ log: ImportLog
    ) {
        self.words = words
        self.files = files
        self.log = log
        operations = [CurlOperation(input: command.input, inputFile: command.inputFile, offset: offset)]
    }

    /// Returns the operations, each with at least one URL.
    mutating func read() throws(ImportError) -> [CurlOperation] {
        var takesOptions = true
        while let word = words.popFirst() {
            let text = word.text
            if takesOptions, text == "--" {
                takesOptions = false
            } else if takesOptions, text.hasPrefix("--") {
                try long(word)
            } else if takesOptions, text.hasPrefix("-"), text != "-" {
                try short(word)
            } else {
                operations[operations.count - 1].urls.append(word)
            }
        }
        for operation in operations where operation.urls.isEmpty {
            throw log.error(operation.offset, "the command has no URL")
        }
        return operations
    }

    private mutating func long(_ word: ShellWord) throws(ImportError) {
        var name = String(word.text.dropFirst(2))
        var value: ShellWord?
        if let equals = name.firstIndex(of: "="), CurlOption.named(name) == nil {
            let text = String(name[name.index(after: equals)...])
            name = String(name[..<equals])
            value = ShellWord(bytes: Array(text.utf8), offset: word.offset + name.utf8.count + 3, isQuoted: true)
            if CurlOption.named(name)?.takesValue == true {
                log.remark(word.offset, "--\(name)=", "curl itself takes the value as the next word")
            }
        }
        var isOn = true
        var option = CurlOption.named(name)
        if option == nil, name.hasPrefix("no-") {
            option = CurlOption.named(String(name.dropFirst(3)))
            isOn = false
        }
        guard let option, option.takesValue || value == nil else {
            let hint = Spelling.hint(for: name, in: CurlOption.names)
            throw log.error(word.offset, "curl has no option --\(name)\(hint)")
        }
        if option.takesValue, value == nil, isOn { value = try next("--\(name)", word.offset) }
        add(CurlArgument(option: option, value: value, isOn: isOn, offset: word.offset, written: "--\(name)"))
    }

    /// Several letters in one word; the rest of the word is the value of the first that takes one.
    private mutating func short(_ word: ShellWord) throws(ImportError) {
        var rest = word.bytes.dropFirst()
        while let letter = rest.popFirst() {
            // One character, not one byte of it.
            let written = "-" + String(String(decoding: [letter] + rest, as: UTF8.self).prefix(1))
            let offset = word.offset
            guard letter < 0x80, let option = CurlOption.named(Character(Unicode.Scalar(letter))) else {
                throw log.error(offset, "curl has no option \(written)")
            }
            var value: ShellWord?
            if option.takesValue {
                value = rest.isEmpty ? try next(written, offset) : ShellWord(bytes: Array(rest), offset: offset)
                rest = []
            }
            add(CurlArgument(option: option, value: value, offset: offset, written: written))
        }
    }

    private mutating func next(_ written: String, _ offset: Int) throws(ImportError) -> ShellWord {
        guard let word = words.popFirst() else { throw log.error(offset, "\(written) needs a value") }
        return word
    }

    private mutating func add(_ argument: CurlArgument) {
        switch argument.option.effect {
        case .request(.config): readOptions(argument)
        case .request(.next):
            operations.append(CurlOperation(offset: argument.offset))
        case .request(.url): if let url = argument.value { operations[operations.count - 1].urls.append(url) }
        case .request: operations[operations.count - 1].arguments.append(argument)
        case .output: break
        case .lost(let remedy): if argument.isOn { log.loss(argument, remedy) }
        }
    }

    /// Goes on with the options of a file, or of the standard input.
    private mutating func readOptions(_ argument: CurlArgument) {
        let name = argument.value?.text ?? ""
        configs += 1
        guard configs <= Self.maximumConfigs, let content = name == "-" ? operations[0].input : files(name) else {
            let subject = "\(argument.written) \(name)".excerpted
            return log.loss(argument.offset, subject, "the file of options is not read; paste what it says")
        }
        let own = String(decoding: content, as: UTF8.self).split(whereSeparator: \.isNewline).flatMap { line in
            Self.words(ofOption: line).map { text in
                ShellWord(bytes: Array(text.utf8), offset: argument.offset, isQuoted: true)
            }
        }
        words = ArraySlice(own + Array(words))
    }

    /// The words of a line such as `header = "X: 1"`; none for a comment.
    private static func words(ofOption line: Substring) -> [String] {
        let isSpace = { (character: Character) in character.isWhitespace }
        let line = line.drop(while: isSpace)
        guard let first = line.first, first != "#" else { return [] }
        let name = line.prefix { !isSpace($0) && $0 != "=" && $0 != ":" }
        var rest = line[name.endIndex...].drop(while: isSpace)
        if rest.first == "=" || rest.first == ":" { rest = rest.dropFirst().drop(while: isSpace) }
        let option = name.hasPrefix("-") ? String(name) : "--\(name)"
        if rest.isEmpty { return [option] }
        guard rest.first == "\"" else { return [option, String(rest.prefix { !isSpace($0) })] }
        rest = rest.dropFirst()
        var value = ""
        while let character = rest.popFirst(), character != "\"" {
            let escapes: [Character: Character] = ["t": "\t", "n": "\n", "r": "\r", "v": "\u{B}"]
            guard character == "\\", let escaped = rest.popFirst() else {
                value.append(character)
                continue
            }
            value.append(escapes[escaped] ?? escaped)
        }
        return [option, value]
    }
}

/// Options of curl: those of commands, and those that other tools have as settings of a request.
extension ImportLog {
    /// - Parameter value: the part of its value that the note is about; nil for the option itself.
    mutating func loss(_ argument: CurlArgument, of value: String? = nil, _ message: String) {
        loss(argument.offset, argument.subject(value), message)
    }

    /// - Parameter value: the part of its value that the note is about; nil for the option itself.
    mutating func remark(_ argument: CurlArgument, of value: String? = nil, _ message: String) {
        remark(argument.offset, argument.subject(value), message)
    }

    /// Returns a request that options such as `--max-time 10` have their effect on; nil for those that need others or a
    /// body.
    /// - Parameter subject: the setting, for notes; nil for the name of the option.
    mutating func request(withOptions words: [String], _ subject: String? = nil, at offset: Int) -> SavedRequest? {
        guard let read = try? CurlImport.read(words: ["curl"] + words + ["http://localhost"]),
            read.requests.count == 1, let found = read.requests.first, found.method == .get, found.body == nil,
            found.headers.isEmpty, found.query.isEmpty
        else { return nil }
        for note in read.notes where !note.subject.hasPrefix("{{") {
            add(note, subject ?? String(note.subject.drop { $0 == "-" }), at: offset)
        }
        return found
    }
}
