import OmbiPlatform

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

/// The value of `User-Agent` (RFC 9110 §10.1.5). Unknown parts are omitted, as is the kernel release, which no server
/// needs.
struct UserAgent: Sendable {
    /// The name of the executable.
    var program: String?
    var version: String?
    /// "com.example.shop"
    var identifier: String?
    var build: String?
    /// "macOS 15.1.0", "Linux"
    var system: String?

    /// "Shop/7.1 (com.example.shop; build:42; macOS 15.1.0) Ombi/0.1.0", "shop (Linux) Ombi/0.1.0"
    var text: String {
        let details = [identifier, build.map { "build:" + $0 }, system].compactMap { $0?.filter(Self.isPlain) }
        // Ombi's own program is named once.
        let name = Self.product(program, version).flatMap { $0.lowercased() == "ombi" ? nil : $0 }
        let ombi = "Ombi/" + DefaultHeaders.version
        let comment = details.isEmpty ? nil : "(" + details.joined(separator: "; ") + ")"
        return (name == nil ? [ombi, comment] : [name, comment, ombi]).compactMap { $0 }.joined(separator: " ")
    }

    /// Returns "Shop/7.1"; nil without a name.
    private static func product(_ name: String?, _ version: String?) -> String? {
        let parts = [name, version].map { $0.map { String($0.filter(isToken)) } ?? "" }
        guard !parts[0].isEmpty else { return nil }
        return parts[1].isEmpty ? parts[0] : parts[0] + "/" + parts[1]
    }

    private static func isToken(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._".contains(character))
    }

    private static func isPlain(_ character: Character) -> Bool {
        isToken(character) || character == ":" || character == " "
    }

    static let ofThisProgram: UserAgent = {
        #if canImport(Darwin)
        let info = { (key: String) in Bundle.main.object(forInfoDictionaryKey: key) as? String }
        let version = ProcessInfo.processInfo.operatingSystemVersion
        return UserAgent(
            program: info("CFBundleExecutable") ?? executable, version: info("CFBundleShortVersionString"),
            identifier: info("CFBundleIdentifier"), build: info("CFBundleVersion"),
            system: "\(system) \(version.majorVersion).\(version.minorVersion).\(version.patchVersion)")
        #else
        return UserAgent(program: executable, system: system)
        #endif
    }()

    private static var executable: String? {
        CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
    }

    private static var system: String {
        #if os(macOS)
        "macOS"
        #elseif os(iOS)
        "iOS"
        #elseif os(tvOS)
        "tvOS"
        #elseif os(watchOS)
        "watchOS"
        #elseif os(visionOS)
        "visionOS"
        #else
        "Linux"
        #endif
    }
}
