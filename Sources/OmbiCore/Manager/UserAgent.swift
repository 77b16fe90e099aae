#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

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
