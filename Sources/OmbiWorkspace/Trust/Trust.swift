import OmbiCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The question whether a collection may use what is outside its workspace.
public struct TrustRequest: Equatable, Sendable {
    /// One thing that it does, beside what was trusted before.
    public struct Line: Equatable, Sendable {
        public enum Change: Sendable { case same, added, removed }
        public var text: String
        public var change: Change
    }

    /// The path of the collection file.
    public var file: String
    public var lines: [Line]
    /// True where an earlier content was trusted.
    public var isChanged: Bool
    /// The lines that a yes trusts.
    let claims: TrustClaims

    init(file: String, claims: TrustClaims, trusted: [String]?) {
        self.file = file
        self.claims = claims
        isChanged = trusted != nil
        let known = Set(trusted ?? [])
        let new = Set(claims.lines)
        let removed = (trusted ?? []).filter { !new.contains($0) }
        lines =
            removed.map { Line(text: $0, change: .removed) }
            + claims.lines.map { Line(text: $0, change: known.contains($0) || trusted == nil ? .same : .added) }
    }
}

/// The trust in collections: what the user has allowed, and what this run allows.
public final class Trust: Sendable {
    private let store: TrustStore?
    private let allowsAll: Bool
    /// Files of the program itself.
    private let builtIn: [String]
    /// The collections that were found to be trusted: asking again for an equal one is cheap. A list, as one is made
    /// before the first frame, and the types of dictionaries take long at their first use.
    private let known = Lock<[Known]>([])

    private struct Known {
        var file: String
        var collection: Collection
    }

    /// - Parameters:
    ///   - allowsAll: true trusts every collection.
    ///   - builtIn: the paths of collections that are part of the program.
    public init(store: TrustStore? = .standard, allowsAll: Bool = false, builtIn: [String] = []) {
        self.store = store
        self.allowsAll = allowsAll
        self.builtIn = builtIn
    }

    /// Returns true for a source that the collection of a run may use. Reads the store when first needed.
    public func allows(_ order: RunOrder, _ source: Secret.Source) -> Bool {
        if allowsAll || builtIn.contains(order.file) { return true }
        switch source {
        case .prompt, .value: return true
        case .file(let path) where Workspace.outside(path, folder: order.folder) == nil: return true
        case .envFile(let path, _) where Workspace.outside(path, folder: order.folder) == nil: return true
        case .file, .envFile, .environment, .command, .keyring: break
        }
        let last = known.withLock { $0.first { $0.file == order.file }?.collection }
        if let last, last == order.collection, last.overlay.isSame(as: order.collection.overlay) { return true }
        let claims = TrustClaims(order.collection, folder: order.folder)
        guard let entry = store?.entry(for: order.file), entry.lines == claims.lines,
            entry.hash == TrustStore.hash(of: claims.lines)
        else { return false }
        known.withLock { known in
            known.removeAll { $0.file == order.file }
            known.append(Known(file: order.file, collection: order.collection))
        }
        return true
    }

    /// Returns all that a collection would do, compared with what is trusted; nil where it needs no trust.
    public func request(for collection: Collection, file: String) -> TrustRequest? {
        let folder = file.lastIndex(of: "/").map { String(file[..<$0]) } ?? "."
        let claims = TrustClaims(collection, folder: folder)
        guard !claims.isEmpty else { return nil }
        return TrustRequest(file: file, claims: claims, trusted: store?.entry(for: file)?.lines)
    }

    /// True where the content is trusted as it is.
    public func isTrusted(_ request: TrustRequest) -> Bool {
        store?.entry(for: request.file)?.lines == request.claims.lines
    }

    /// Trusts what was shown.
    public func accept(_ request: TrustRequest) throws(FileError) {
        guard let store else { throw FileError(operation: "write", path: "trust.json", code: ENOENT) }
        try store.trust(request.file, request.claims.lines)
    }
}
