internal import OmbiBase

/// A list of domains under which anyone can register names, such as "com" and "co.uk". Cookies for them are refused (RFC
/// 6265bis §5.7 step 9).
public struct PublicSuffixes: Sendable {
    /// False if the list only knows single labels: "com", but not "co.uk".
    public let isComplete: Bool
    private let isSuffix: @Sendable (String) -> Bool

    /// Creates a custom list. The closure receives a domain in lower case, without a trailing dot, on any thread.
    public init(_ isSuffix: @escaping @Sendable (_ domain: String) -> Bool) {
        isComplete = true
        self.isSuffix = isSuffix
    }

    private init() {
        isComplete = false
        isSuffix = { !$0.utf8.contains(UInt8(ascii: ".")) }
    }

    /// All single labels.
    public static let singleLabels = PublicSuffixes()

    /// The list of the system's libpsl, loaded on first use; `singleLabels` if the library is missing.
    public static let system = load() ?? .singleLabels

    /// Returns true if a domain is a public suffix. IP addresses never are.
    public func contains(_ domain: String) -> Bool {
        let domain = domain.hasSuffix(".") ? String(domain.dropLast()) : domain
        return !domain.isEmpty && !CookieTarget.isAddress(domain) && isSuffix(domain.lowercased())
    }

    #if canImport(Darwin)
    private static let libraries = ["libpsl.5.dylib", "libpsl.dylib"]
    #else
    private static let libraries = ["libpsl.so.5"]
    #endif

    private typealias MakeList = @convention(c) @Sendable () -> UnsafeRawPointer?
    private typealias IsSuffix = @convention(c) @Sendable (UnsafeRawPointer?, UnsafePointer<CChar>?) -> CInt

    private static func load() -> PublicSuffixes? {
        guard let library = SharedLibrary(libraries), let makeList: MakeList = library.find("psl_builtin"),
            let isSuffix: IsSuffix = library.find("psl_is_public_suffix"),
            // The list is constant data of the library.
            let list = makeList().map(UInt.init(bitPattern:))
        else { return nil }
        return PublicSuffixes { isSuffix(UnsafeRawPointer(bitPattern: list), $0) != 0 }
    }
}
