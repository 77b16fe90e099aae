import OmbiWorkspace

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The copy of the demo collection that `ombi demo` opens and saves: each start is the first, and the installed file
/// stays as it is.
enum DemoCopy {
    /// The collection that asks for things of this machine.
    static let stranger = "stranger.json"

    /// Returns the path of a new copy; nil without a home folder, or where it cannot be written.
    static func make(of collection: String) -> String? {
        guard let state = History.standardPath, let slash = state.lastIndex(of: "/") else { return nil }
        guard let copy = make(of: collection, in: state[..<slash] + "/demo") else { return nil }
        if let drafts = Drafts.standard { discard(drafts, of: copy) }
        _ = try? GrantStore.standard?.revoke(asking(beside: copy))
        return copy
    }

    /// The copy of the collection that asks.
    static func asking(beside copy: String) -> String {
        URL(filePath: copy).deletingLastPathComponent().path() + stranger
    }

    /// - Parameter folder: gets the collection, and what lies beside it.
    static func make(of collection: String, in folder: String) -> String? {
        let files = FileManager.default
        let original = URL(filePath: collection).deletingLastPathComponent().path()
        do {
            try files.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            for name in ["demo.json", stranger, "ombi.schema.json", "certificates"] {
                let (source, copy) = (original + name, folder + "/" + name)
                guard files.fileExists(atPath: source) else { continue }
                if files.fileExists(atPath: copy) { try files.removeItem(atPath: copy) }
                try files.copyItem(atPath: source, toPath: copy)
            }
        } catch { return nil }
        return folder + "/demo.json"
    }

    /// Discards the edits of a demo that was killed.
    static func discard(_ drafts: Drafts, of path: String) {
        guard let loaded = CollectionFinder.load([path]).first else { return }
        while let draft = drafts.draft(of: loaded) { drafts.discard(draft) }
    }
}
