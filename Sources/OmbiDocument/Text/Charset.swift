/// The encodings of text. The names are those of the WHATWG Encoding Standard.
public enum Charset: Sendable, Equatable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    case utf32LittleEndian
    case utf32BigEndian
    /// Also the encoding that the labels iso-8859-1 and ascii stand for (Encoding Standard, section 4.2).
    case windows1252
    /// Any other encoding, by its name in the C library.
    case other(String)

    public var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16LittleEndian: "UTF-16LE"
        case .utf16BigEndian: "UTF-16BE"
        case .utf32LittleEndian: "UTF-32LE"
        case .utf32BigEndian: "UTF-32BE"
        case .windows1252: "windows-1252"
        case .other(let name): name
        }
    }

    /// Creates the encoding that a label stands for. Returns nil for an invalid label, such as one with characters that
    /// no label has, and for UTF-7.
    public init?(label: String) {
        let label = label.lowercased().filter { !" \t\"'".contains($0) }
        switch label {
        case "utf-8", "utf8", "unicode-1-1-utf-8", "x-unicode20utf8": self = .utf8
        case "utf-16le", "utf-16", "utf16", "ucs-2", "iso-10646-ucs-2", "unicode", "csunicode":
            self = .utf16LittleEndian
        case "utf-16be", "unicodefffe": self = .utf16BigEndian
        case "utf-32le", "utf-32", "utf32", "ucs-4": self = .utf32LittleEndian
        case "utf-32be": self = .utf32BigEndian
        case "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "l1", "ascii", "us-ascii", "ansi_x3.4-1968",
            "windows-1252", "cp1252", "x-cp1252", "cp819", "ibm819":
            self = .windows1252
        default:
            let isLabel = label.utf8.allSatisfy { byte in
                byte >= 0x30 && byte <= 0x39 || byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A
                    || "-_:.+()".utf8.contains(byte)
            }
            // UTF-7 is not an encoding of the web: it hides markup in letters, and errors in it go unnoticed.
            let isUTF7 = label.contains("utf-7") || label.contains("utf7")
            guard isLabel, !isUTF7, !label.isEmpty, label.utf8.count <= 40 else { return nil }
            self = .other(Self.aliases[label] ?? label)
        }
    }

    /// Labels of the web that the C library does not know, or takes for a narrower encoding.
    private static let aliases = [
        "shift_jis": "cp932", "sjis": "cp932", "x-sjis": "cp932", "ms_kanji": "cp932", "windows-31j": "cp932",
        "gb2312": "gb18030", "gbk": "gb18030", "x-gbk": "gb18030", "ks_c_5601-1987": "cp949", "euc-kr": "cp949",
        "x-mac-roman": "macintosh", "macintosh": "macintosh", "iso-8859-9": "cp1254", "iso-8859-11": "cp874",
        "tis-620": "cp874", "x-euc-jp": "euc-jp", "big5": "big5-hkscs", "iso-8859-8-i": "iso-8859-8",
    ]
}
