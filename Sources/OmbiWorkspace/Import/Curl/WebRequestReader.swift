/// Reads `Invoke-WebRequest` and `Invoke-RestMethod` as developer tools copy them for PowerShell.
struct WebRequestReader {
    private enum Token: Equatable {
        case text(String)
        case word(String)
        case sign(UInt8)

        /// Nil for a sign.
        var value: String? {
            switch self {
            case .text(let text), .word(let text): text
            case .sign: nil
            }
        }

        func isSign(_ character: Unicode.Scalar) -> Bool { self == .sign(UInt8(ascii: character)) }
    }

    private let bytes: [UInt8]
    private var index = 0
    private var tokens: [(offset: Int, token: Token)] = []
    private(set) var log: ImportLog

    init(_ bytes: [UInt8], _ log: ImportLog) {
        self.bytes = bytes
        self.log = log
    }

    /// Returns the commands, those without a URL, too.
    mutating func read() -> [CopiedRequest] {
        split()
        var (copies, cookies): ([CopiedRequest], [CopiedRequest.Row]) = ([], [])
        index = 0
        while let token = next() {
            guard case .word(let word) = token else { continue }
            if word.hasSuffix("System.Net.Cookie") {
                if let name = argument(), let value = argument() { cookies.append((name: name, value: value)) }
            } else if ["invoke-webrequest", "invoke-restmethod"].contains(word.lowercased()) {
                var copy = CopiedRequest(offset: tokens[index - 1].offset)
                (copy.cookies, cookies) = (cookies, [])
                readParameters(of: &copy)
                copies.append(copy)
            }
        }
        return copies
    }

    private mutating func next() -> Token? {
        guard index < tokens.count else { return nil }
        index += 1
        return tokens[index - 1].token
    }

    /// The text behind a parenthesis or a comma.
    private mutating func argument() -> String? {
        guard index + 1 < tokens.count, case .text(let text) = tokens[index + 1].token else { return nil }
        index += 2
        return text
    }

    // MARK: Parameters

    private mutating func readParameters(of copy: inout CopiedRequest) {
        var type: String?
        while index < tokens.count, !isEnd(tokens[index].token) {
            let (offset, token) = tokens[index]
            index += 1
            guard case .word(let word) = token, word.hasPrefix("-") else {
                if copy.url.isEmpty { copy.url = token.value ?? "" }
                continue
            }
            switch word.lowercased() {
            case "-uri": copy.url = value() ?? ""
            case "-method": copy.method = value() ?? "GET"
            case "-contenttype": type = value()
            case "-body": copy.body = value()
            case "-headers": copy.headers += rows()
            case "-websession", "-useragent": _ = value()
            case "-usebasicparsing": break
            default: log.loss(offset, word.excerpted, "left out: only what developer tools copy is read")
            }
        }
        let isTyped = copy.headers.contains { $0.name.lowercased() == "content-type" }
        // That of PowerShell for a body without one.
        if type == nil, copy.body != nil, copy.method.uppercased() == "POST" { type = FormContent.note }
        if let type, !isTyped { copy.headers.append((name: "Content-Type", value: type)) }
    }

    private func isEnd(_ token: Token) -> Bool {
        if token.isSign(";") || token.isSign("|") { return true }
        guard case .word(let word) = token else { return false }
        return word.lowercased().hasPrefix("invoke-") || word.hasPrefix("$session.") || word == "$session"
    }

    /// The value of a parameter: a text, a word, or the text in parentheses, such as one that is turned into bytes.
    private mutating func value() -> String? {
        guard let token = next() else { return nil }
        guard token.isSign("(") else { return token.value }
        var (depth, found) = (1, String?.none)
        while depth > 0, let token = next() {
            if token.isSign("(") { depth += 1 }
            if token.isSign(")") { depth -= 1 }
            if case .text(let text) = token, found == nil { found = text }
        }
        return found
    }

    /// `@{ "name" = "value" }`
    private mutating func rows() -> [CopiedRequest.Row] {
        var rows: [CopiedRequest.Row] = []
        guard next()?.isSign("@") == true, next()?.isSign("{") == true else { return [] }
        while let token = next(), !token.isSign("}") {
            guard let name = token.value, next()?.isSign("=") == true, let value = next()?.value else { continue }
            rows.append((name: name, value: value))
        }
        return rows
    }

    // MARK: Tokens

    private static let signs = Array("@{}()=;,|".utf8)

    private mutating func split() {
        while index < bytes.count {
            let (start, byte) = (index, bytes[index])
            switch byte {
            case UInt8(ascii: "\""): tokens.append((start, .text(quoted())))
            case UInt8(ascii: "'"): tokens.append((start, .text(plain())))
            case _ where byte <= 0x20 || byte == UInt8(ascii: "`"): index += 1
            case _ where Self.signs.contains(byte):
                tokens.append((start, .sign(byte)))
                index += 1
            default:
                let ends = Self.signs + Array("\"'`".utf8)
                let word = bytes[index...].prefix { $0 > 0x20 && !ends.contains($0) }
                tokens.append((start, .word(String(decoding: word, as: UTF8.self))))
                index += word.count
            }
        }
    }

    /// Reads `'…'`, in which a doubled quote stands for one.
    private mutating func plain() -> String {
        var text: [UInt8] = []
        index += 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "'") {
                index += 1
                guard index < bytes.count, bytes[index] == UInt8(ascii: "'") else { break }
            }
            text.append(bytes[index])
            index += 1
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads `"…"` with its backticks, and characters such as `$([char]233)`.
    private mutating func quoted() -> String {
        let quote = UInt8(ascii: "\"")
        var (units, plain): ([UInt16], [UInt8]) = ([], [])
        index += 1
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "`"), index + 1 < bytes.count {
                plain.append(PowerShellReader.escapes[bytes[index + 1]] ?? bytes[index + 1])
                index += 2
            } else if let unit = unit() {
                units += Array(String(decoding: plain, as: UTF8.self).utf16) + [unit]
                plain = []
            } else if byte == quote, index + 1 < bytes.count, bytes[index + 1] == quote {
                plain.append(quote)
                index += 2
            } else {
                index += 1
                if byte == quote { break }
                plain.append(byte)
            }
        }
        return String(decoding: units + Array(String(decoding: plain, as: UTF8.self).utf16), as: UTF16.self)
    }

    /// Reads `$([char]233)`; nil for any other text.
    private mutating func unit() -> UInt16? {
        let start = Array("$([char]".utf8)
        guard bytes[index...].starts(with: start) else { return nil }
        let digits = bytes[(index + start.count)...].prefix { (0x30...0x39).contains($0) }
        guard digits.endIndex < bytes.count, bytes[digits.endIndex] == UInt8(ascii: ")"),
            let unit = UInt16(String(decoding: digits, as: UTF8.self))
        else { return nil }
        index = digits.endIndex + 1
        return unit
    }
}
