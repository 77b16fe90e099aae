#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The header fields that a manager adds on its own: the client, its languages and its encodings.
struct DefaultHeaders {
    static let version = "0.1.0"

    let userAgent: String?
    let acceptedEncodings: String?
    let fields: RequestHeaders

    /// nil leaves a field out.
    init(userAgent: String?, acceptedEncodings: String?) {
        self.userAgent = userAgent
        self.acceptedEncodings = acceptedEncodings
        var headers = RequestHeaders()
        headers.reserveCapacity(3)
        if let userAgent { headers.append(.string(userAgent), forKey: .userAgent) }
        headers.append(.string(Self.acceptLanguage), forKey: .acceptLanguage)
        if let acceptedEncodings { headers.append(.string(acceptedEncodings), forKey: .acceptEncoding) }
        fields = headers
    }

    private static let acceptLanguage = acceptLanguage(preferredLanguages)

    /// The first six languages, with q from 1.0 in steps of 0.1.
    static func acceptLanguage(_ languages: [String]) -> String {
        languages.prefix(6).enumerated()
            .map { index, language in "\(language);q=\(index == 0 ? "1.0" : "0.\(10 - index)")" }
            .joined(separator: ", ")
    }

    /// From `LANGUAGE`, `LC_ALL`, `LC_MESSAGES` and `LANG`; English when they name none.
    private static let preferredLanguages: [String] = {
        let names = ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"]
        let texts = names.compactMap { name in getenv(name).map { String(cString: $0) } }
        let languages = languageTags(texts.flatMap { $0.split(separator: ":").map(String.init) })
        return languages.isEmpty ? ["en"] : languages
    }()

    /// "de-DE" of "de_DE.UTF-8@euro"; "C" and "POSIX" name no language.
    static func languageTags(_ locales: [String]) -> [String] {
        var tags: [String] = []
        for locale in locales {
            let tag = String(locale.prefix { $0 != "." && $0 != "@" }.map { $0 == "_" ? "-" : $0 })
            let isTag = tag.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
            if isTag, !["", "C", "POSIX"].contains(tag), !tags.contains(tag) { tags.append(tag) }
        }
        return tags
    }
}
